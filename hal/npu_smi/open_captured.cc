#include <utility>

#include "hal/npu_smi/captured.h"
#include "hal/npu_smi/npu_smi_driver.h"
#include "hal/open.h"

namespace ascend {
namespace {

CapturedOutput Described(std::string_view form, npu_smi::UnknownLines unknown) {
  return {std::string(form), unknown.count, std::move(unknown.first)};
}

}  // namespace

Captured OpenCaptured(const std::vector<std::string>& texts, Clock& clock) {
  Captured captured;
  std::vector<npu_smi::CapturedText> outputs;
  for (const std::string& text : texts) {
    npu_smi::UnknownLines cut;
    for (npu_smi::CapturedText& output : npu_smi::CaptureTexts(text, cut)) {
      captured.outputs.push_back(Described(NameOf(output.form), npu_smi::NotUnderstoodIn(output)));
      outputs.push_back(std::move(output));
    }
    if (cut.count > 0) captured.outputs.push_back(Described("a line without its end", cut));
  }
  npu_smi::DriverSetup setup;
  setup.tool = "npu-smi";
  setup.sees_host_pids = true;  // of whatever host it was printed on
  setup.hccn.captured = true;
  setup.sysfs_root = "";
  setup.run = [tool = npu_smi::CapturedTool(std::move(outputs))](
                  const npu_smi::ProcessRequest& request) { return tool.Run(request); };
  captured.driver = npu_smi::MakeDriver(std::move(setup), clock);
  return captured;
}

}  // namespace ascend

// Every table of a folder of samples against the values that its expected.json tells in words: the
// project's own fixtures, or a folder of captures named by ASCEND_NPU_SMI_SAMPLES.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "hal/npu_smi/table.h"
#include "tests/hal/npu_smi/support.h"

namespace ascend::npu_smi {
namespace {

std::string SamplesFolder() {
  const char* const folder = std::getenv("ASCEND_NPU_SMI_SAMPLES");
  return folder == nullptr || *folder == '\0' ? kFixtures : folder;
}

std::vector<std::string> Fields(const std::string& line) {
  const std::size_t first = line.find('\t');
  const std::size_t second = line.find('\t', first + 1);
  return {line.substr(0, first), line.substr(first + 1, second - first - 1),
          line.substr(second + 1)};
}

TEST(NpuSmiSamplesTest, EveryTableGivesTheValuesThatItsExpectationTells) {
  const std::string folder = SamplesFolder();
  const std::vector<std::string> expectations = Lines(RunPython({"--expected", folder}));
  EXPECT_GE(expectations.size(), 10U);
  int told = 0;
  for (const std::string& line : expectations) {
    const std::vector<std::string> fields = Fields(line);
    SCOPED_TRACE(fields[0]);
    const InfoTable table = ParseInfoTable(ReadFile(folder + "/" + fields[0]));
    EXPECT_EQ(std::to_string(table.chips.size()), fields[1]);
    if (fields[2].empty()) continue;
    EXPECT_EQ(Prose(table), fields[2]);
    ++told;
  }
  EXPECT_GE(told, 10);
}

TEST(NpuSmiSamplesTest, AnyFileIsReadWithoutHarm) {
  for (const auto& entry : std::filesystem::directory_iterator(SamplesFolder())) {
    if (!entry.is_regular_file()) continue;
    const InfoTable table = ParseInfoTable(ReadFile(entry.path()));
    EXPECT_LE(table.chips.size(), 1024U);
  }
}

}  // namespace
}  // namespace ascend::npu_smi

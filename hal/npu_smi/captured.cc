#include "hal/npu_smi/captured.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "hal/npu_smi/cells.h"
#include "hal/npu_smi/hccn_text.h"
#include "hal/npu_smi/key_values.h"
#include "hal/npu_smi/known_keys.h"
#include "hal/npu_smi/listing.h"
#include "hal/npu_smi/table.h"
#include "hal/npu_smi/topology_text.h"
#include "hal/npu_smi/watch_text.h"

namespace ascend::npu_smi {
namespace {

using Arguments = std::vector<std::string>;

constexpr std::size_t kMaxArguments = 16;

Arguments Words(std::string_view line) {
  Arguments words;
  while (!(line = Trim(line)).empty() && words.size() < kMaxArguments) {
    const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
    words.emplace_back(line.substr(0, end));
    line.remove_prefix(end);
  }
  return words;
}

// The arguments of the command that the line shows, behind a prompt or none; empty if it shows
// none. Lines of tables begin with a bar.
Arguments CommandIn(std::string_view line) {
  if (Trim(line).starts_with("|")) return {};
  for (const std::string_view tool : {"npu-smi info", "hccn_tool -"}) {
    const std::size_t at = line.find(tool);
    if (at == std::string_view::npos) continue;
    const bool word = at == 0 || line[at - 1] == ' ' || line[at - 1] == '/';
    if (!word) continue;
    Arguments words = Words(line.substr(at));
    words.erase(words.begin());
    return words;
  }
  return {};
}

void Finish(CapturedText& text, std::vector<CapturedText>& texts) {
  if (!Trim(text.text).empty()) {
    text.form = Identify(text.text);
    texts.push_back(std::move(text));
  }
  text = CapturedText();
}

std::optional<std::string> ValueOf(const Arguments& arguments, std::string_view flag) {
  const auto at = std::ranges::find(arguments, flag);
  if (at == arguments.end() || at + 1 == arguments.end()) return std::nullopt;
  return *(at + 1);
}

std::optional<std::int32_t> NumberOf(const std::optional<std::string>& text) {
  std::int32_t number = 0;
  if (!text) return std::nullopt;
  const auto result = std::from_chars(text->data(), text->data() + text->size(), number);
  return result.ec == std::errc() ? std::optional(number) : std::nullopt;
}

// The name of the query, as NameOf has it: "npu-smi info -t ecc", "hccn_tool -stat".
std::string QueryName(const Arguments& arguments) {
  if (!arguments.empty() && arguments[0] == "info") {
    if (const auto type = ValueOf(arguments, "-t")) return "npu-smi info -t " + *type;
    return "npu-smi " + fmt::format("{}", fmt::join(arguments, " "));
  }
  for (const std::string& argument : arguments) {
    if (argument.size() > 2 && argument.starts_with("-")) return "hccn_tool " + argument;
  }
  return "";
}

bool IsAbout(const CapturedText& text, std::optional<std::int32_t> npu,
             std::optional<std::int32_t> chip) {
  if (!text.arguments.empty()) {
    return NumberOf(ValueOf(text.arguments, "-i")) == npu &&
           NumberOf(ValueOf(text.arguments, "-c")) == chip;
  }
  const KeyValues values = ReadKeyValues(text.text, BlockId::kFirst);
  const bool names_npu =
      std::ranges::any_of(values.blocks, [](const Block& b) { return b.npu.has_value(); });
  return !names_npu ||
         std::ranges::any_of(values.blocks, [&](const Block& b) { return b.npu == npu; });
}

}  // namespace

std::vector<CapturedText> CaptureTexts(std::string_view pasted, UnknownLines& unknown) {
  std::vector<CapturedText> texts;
  CapturedText text;
  while (!pasted.empty()) {
    bool ended = false;
    const std::string_view line = TakeLine(pasted, ended);
    if (Arguments arguments = CommandIn(line); !arguments.empty()) {
      Finish(text, texts);
      text.arguments = std::move(arguments);
    } else if (ended || Trim(line).ends_with("|") || Trim(line).ends_with("+")) {
      text.text.append(line).push_back('\n');
    } else {
      unknown.Add(line);
    }
  }
  Finish(text, texts);
  return texts;
}

UnknownLines NotUnderstoodIn(const CapturedText& captured) {
  const std::string_view text = captured.text;
  switch (captured.form) {
    case VendorText::kRefusal:
      return {};
    case VendorText::kUnknown: {
      UnknownLines all;
      ForEachLine(text, all, [&](std::string_view line) { all.Add(line); });
      return all;
    }
    case VendorText::kInfo: {
      const InfoTable table = ParseInfoTable(text);
      return {table.not_understood, table.not_understood_lines};
    }
    case VendorText::kMapping:
      return ParseMapping(text).unknown;
    case VendorText::kTopology:
      return ParseTopology(text).unknown;
    case VendorText::kWatch:
      return ParseWatch(text).unknown;
    case VendorText::kHccnLink:
      return ParseHccnLink(text).unknown;
    case VendorText::kHccnLinkHistory:
      return ParseHccnLinkHistory(text).unknown;
    case VendorText::kHccnCounters:
    case VendorText::kHccnBitErrors:
      return ParseHccnCounters(text).unknown;
    case VendorText::kHccnOptical:
      return ParseHccnOptical(text).unknown;
    case VendorText::kHccnHealth:
      return ParseHccnHealth(text).unknown;
    case VendorText::kHccnFec:
      return ParseHccnFec(text).unknown;
    case VendorText::kHccnAddress:
      return ParseHccnAddress(text).unknown;
    case VendorText::kHccnBandwidth:
      return ParseHccnBandwidth(text).unknown;
    case VendorText::kHccnSpeed:
      return ParseHccnSpeed(text).unknown;
    case VendorText::kHccnPorts:
      return ParseHccnPorts(text).unknown;
    case VendorText::kHccnConnection:
      return ParseHccnConnection(text).unknown;
    default: {
      const bool first =
          captured.form == VendorText::kCommon || captured.form == VendorText::kBoard;
      KeyValues values = ReadKeyValues(text, first ? BlockId::kFirst : BlockId::kLast);
      AddUnknownKeys(values);
      return values.unknown;
    }
  }
}

CapturedTool::CapturedTool(std::vector<CapturedText> texts) : texts_(std::move(texts)) {
  for (const CapturedText& text : texts_) {
    if (text.form != VendorText::kInfo) continue;
    const InfoTable table = ParseInfoTable(text.text);
    if (table.chips.size() == 1) only_device_ = table.chips.front().npu;
    break;
  }
}

const CapturedText* CapturedTool::Find(const Arguments& arguments) const {
  const std::string query = QueryName(arguments);
  const auto npu = NumberOf(ValueOf(arguments, "-i"));
  const auto chip = NumberOf(ValueOf(arguments, "-c"));
  const bool network = query.starts_with("hccn_tool");
  for (const CapturedText& text : texts_) {
    const bool same =
        text.arguments.empty() ? NameOf(text.form) == query : QueryName(text.arguments) == query;
    if (!same) continue;
    // A text of hccn_tool does not say of which chip it is; it is told where there is one only.
    if (network && text.arguments.empty() && !only_device_) continue;
    if (network ? text.arguments.empty() || NumberOf(ValueOf(text.arguments, "-i")) == npu
                : !npu || IsAbout(text, npu, chip)) {
      return &text;
    }
  }
  return nullptr;
}

absl::StatusOr<ProcessResult> CapturedTool::Run(const ProcessRequest& request) const {
  const Arguments arguments(request.argv.begin() + 1, request.argv.end());
  ProcessResult result;
  if (const CapturedText* text = Find(arguments)) {
    result.out = text->text;
  } else if (arguments == Arguments{"info"}) {
    result.out = "There is no NPU card on this server.\n";
  } else {
    result.out = "This device does not support querying it.\n";
  }
  return result;
}

}  // namespace ascend::npu_smi

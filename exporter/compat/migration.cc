#include "exporter/compat/migration.h"

#include <fmt/format.h>

#include <array>

#include "exporter/compat/migration_texts.h"
#include "exporter/compat/vendor_table.h"

namespace ascend {
namespace {

constexpr Words kNone{"none", "无"};
constexpr Words kCount{"count", "个数"};
constexpr Words kOffHere{"Off here until `--collectors.enable={}`.",
                         "这里默认关闭，用 `--collectors.enable={}` 打开。"};

struct UnitWord {
  std::string_view suffix;  // of a name here
  Words word;
};
constexpr std::array kUnits = {
    UnitWord{"_bytes_per_second", {"bytes/s", "字节/秒"}},
    UnitWord{"_bytes", {"bytes", "字节"}},
    UnitWord{"_celsius", {"°C", "°C"}},
    UnitWord{"_watts", {"W", "W"}},
    UnitWord{"_volts", {"V", "V"}},
    UnitWord{"_hertz", {"Hz", "Hz"}},
    UnitWord{"_ratio", {"0 to 1", "0 到 1"}},
};

Words UnitHere(std::string_view family) {
  family = family.substr(0, family.find('|'));
  if (family.ends_with("_total")) family.remove_suffix(6);
  for (const UnitWord& unit : kUnits) {
    if (family.ends_with(unit.suffix)) return unit.word;
  }
  return kCount;
}

bool IsNumber(const VendorName& row) {
  return row.rule != Rule::kFaultCode && row.rule != Rule::kOne && row.shape != Shape::kNamed &&
         row.shape != Shape::kSerial && row.shape != Shape::kProduct &&
         row.shape != Shape::kVersions;
}

std::string UnitThere(const VendorName& row, Language language) {
  constexpr Words kFlits{"flits of 20 bytes", "20 字节的 flit"};
  if (!row.unit.empty()) {
    return std::string(row.unit == kFlits.english ? kFlits.in(language) : row.unit);
  }
  if (row.rule == Rule::kState) return "0, 1";
  return IsNumber(row) ? std::string(kCount.in(language)) : "";
}

struct ShapeLabels {
  Shape shape;
  std::string_view labels;
};
constexpr std::array kShapeLabels = {
    ShapeLabels{Shape::kVersion, "`exporterVersion`"},
    ShapeLabels{Shape::kVersions, "`driverVersion`, `exporterVersion`"},
    ShapeLabels{Shape::kSerial, "`serial_number`"},
    ShapeLabels{Shape::kProduct, "`product_type`"},
    ShapeLabels{Shape::kPcie, "`pcie_bw_type`"},
    ShapeLabels{Shape::kProcess, "`process_id`, `container_id`"},
    ShapeLabels{Shape::kVnpu, "`v_dev_id`, `aicore_count`, `is_virtual`"},
    ShapeLabels{Shape::kContainer, "`npuID`, `containerID`, `containerName`"},
};

// The labels that only such series have.
std::string OwnLabels(const VendorName& row) {
  for (const ShapeLabels& own : kShapeLabels) {
    if (own.shape == row.shape) return std::string(own.labels);
  }
  if (row.ports == Ports::kNone) return "";
  return row.ports == Ports::kAlways ? "`udie`, `port`" : "950: `udie`, `port`";
}

// The name, with N where it has a number, and its own labels.
std::string NameThere(const VendorName& row) {
  const std::size_t hole = row.name.find("{}");
  const std::string labels = OwnLabels(row);
  return fmt::format("`{}{}`{}", row.name.substr(0, hole),
                     hole == std::string_view::npos ? "" : "N",
                     labels.empty() ? labels : fmt::format(" ({})", labels));
}

// A bar would end the cell of a table.
std::string InCell(std::string_view text) {
  std::string cell;
  for (char c : text) {
    if (c == '|') cell += '\\';
    cell += c;
  }
  return cell;
}

std::string RowText(const VendorName& row, Language language) {
  const std::string expression = ExpressionOf(row);
  std::string here = std::string(kNone.in(language));
  std::string unit;
  if (!expression.empty()) {
    here = fmt::format("`{}`", InCell(expression));
    unit = IsNumber(row) ? UnitHere(row.family).in(language) : "";
    if (row.rule == Rule::kState) unit = "0, 1";
  }
  std::string remarks(row.note.in(language));
  if (!row.collector.empty()) {
    remarks += remarks.empty() || language == Language::kChinese ? "" : " ";
    remarks += fmt::format(fmt::runtime(kOffHere.in(language)), row.collector);
  }
  return fmt::format("| {} | {} | {} | {} | {} |\n", NameThere(row), UnitThere(row, language), here,
                     unit, InCell(remarks));
}

}  // namespace

std::string MigrationDocument(Language language) {
  std::string out(kMigrationIntroduction.in(language));
  out += kMigrationDeviations.in(language);
  for (const Words& deviation : Deviations()) {
    out += fmt::format("- {}\n", deviation.in(language));
  }
  out += '\n';
  out += kMigrationLabels.in(language);
  out += kMigrationTable.in(language);
  for (const VendorName& row : VendorNames()) out += RowText(row, language);
  return out;
}

}  // namespace ascend

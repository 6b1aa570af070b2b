#include "exporter/page/landing_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "exporter/page/text.h"

namespace ascend {
namespace {

constexpr std::string_view kHead = R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>ascend-exporter</title>
<meta name="viewport" content="width=device-width">
<style>
body{{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem;color:#1c2733}}
table{{border-collapse:collapse;width:100%}}
th,td{{text-align:right;padding:.3rem .7rem;border-bottom:1px solid #dde3ea}}
th:first-child,td:first-child,th:nth-child(2),td:nth-child(2){{text-align:left}}
.down td{{color:#b3261e}}
</style></head><body>
<h1>ascend-exporter</h1>
<p>Version {0}. <a href="{1}">Metrics</a> &middot; <a href="/-/healthy">healthy</a> &middot;
<a href="/-/ready">ready</a></p>
)";

void AppendEscaped(std::string& out, std::string_view text) {
  while (!text.empty()) {
    const std::string_view character = TakeCharacter(text);
    switch (character.front()) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += character;
    }
  }
}

// One column of the table: the values of a metric, in a unit for people.
struct Column {
  std::string_view title;
  std::string_view metric;
  std::string_view label_value;  // of the row's first label, empty: none
  double scale;
  int digits;
};
constexpr Column kColumns[] = {
    {"Temperature, &deg;C", "ascend_npu_temperature_celsius", "", 1, 0},
    {"Power, W", "ascend_npu_power_watts", "", 1, 1},
    {"Card power, W", "ascend_npu_card_power_watts", "", 1, 1},
    {"AI core, %", "ascend_npu_utilization_ratio", "aicore", 100, 0},
    {"Memory used, GiB", "ascend_npu_memory_used_bytes", "", 1.0 / (1 << 30), 1},
    {"of, GiB", "ascend_npu_memory_total_bytes", "", 1.0 / (1 << 30), 1},
};

// The first row of the metric that has a value; a metric may be fed by rows for different chips.
std::optional<double> Find(const Catalog& catalog, const Snapshot& snapshot, std::size_t device,
                           const Column& column) {
  for (const CatalogRow& row : catalog.rows()) {
    if (row.row->spec.name != column.metric) continue;
    if (row.row->spec.labels[0].value != column.label_value) continue;
    const auto& value = snapshot.values[DeviceValue(catalog, device, row.first_slot)];
    if (value) return *value * column.scale;
  }
  return std::nullopt;
}

void AppendDevice(const Catalog& catalog, const Snapshot& snapshot, std::size_t index,
                  const std::vector<bool>& shown, std::string& out) {
  const PageDevice& device = snapshot.layout->devices[index];
  const bool up =
      snapshot.values[DeviceValue(catalog, index, catalog.SlotOf(kUpRow))].value_or(0) == 1;
  fmt::format_to(std::back_inserter(out), "<tr{}><td>{}</td><td>", up ? "" : " class=\"down\"",
                 device.found.device);
  if (device.identity) AppendEscaped(out, device.identity->chip_name.view());
  out += up ? "</td><td>up</td>" : "</td><td>down</td>";
  for (std::size_t i = 0; i < std::size(kColumns); ++i) {
    if (!shown[i]) continue;
    const std::optional<double> value = Find(catalog, snapshot, index, kColumns[i]);
    out += value ? fmt::format("<td>{:.{}f}</td>", *value, kColumns[i].digits) : "<td></td>";
  }
  out += "</tr>\n";
}

void AppendTable(const Catalog& catalog, const Snapshot& snapshot, std::string& out) {
  const std::size_t devices = snapshot.layout->devices.size();
  std::vector<bool> shown;
  out += "<table><tr><th>Device</th><th>Chip</th><th>State</th>";
  for (const Column& column : kColumns) {
    bool any = false;
    for (std::size_t i = 0; i < devices && !any; ++i) {
      any = Find(catalog, snapshot, i, column).has_value();
    }
    shown.push_back(any);
    if (any) out.append("<th>").append(column.title).append("</th>");
  }
  out += "</tr>\n";
  for (std::size_t i = 0; i < devices; ++i) AppendDevice(catalog, snapshot, i, shown, out);
  out += "</table>\n";
}

}  // namespace

std::string LandingPage(const Catalog& catalog, const Snapshot* snapshot,
                        std::string_view telemetry_path, std::string_view version) {
  std::string path;
  AppendEscaped(path, telemetry_path);
  std::string out = fmt::format(kHead, version, path);
  if (snapshot == nullptr || snapshot->layout->devices.empty()) {
    out +=
        "<p>No devices are known. The metric <code>ascend_exporter_driver_state</code> and the "
        "log say why.</p>\n";
  } else {
    AppendTable(catalog, *snapshot, out);
  }
  return out + "</body></html>\n";
}

}  // namespace ascend

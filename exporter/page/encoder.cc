#include "exporter/page/encoder.h"

#include <algorithm>
#include <cstring>

#include "exporter/page/number.h"

namespace ascend {
namespace {

// Writes into room that was reserved for the longest page, so that no line checks for space.
class Writer {
 public:
  explicit Writer(char* out) : out_(out) {}
  void Write(std::string_view text) {
    std::memcpy(out_, text.data(), text.size());
    out_ += text.size();
  }
  void WriteValue(double value) {
    out_ = WriteNumber(out_, value);
    *out_++ = '\n';
  }
  [[nodiscard]] char* end() const { return out_; }

 private:
  char* out_;
};

std::size_t MostBytes(const Layout& layout) {
  std::size_t size = layout.heads.size() + layout.lines.size() * (kMaxNumberSize + 1);
  for (const Layout::Family& family : layout.families) size += family.head.size();
  return size;
}

void WriteLines(const Layout& layout, const Layout::Family& family,
                const std::vector<std::optional<double>>& values, bool& headed, Writer& writer) {
  std::uint32_t begin = family.first_line == 0 ? 0 : layout.lines[family.first_line - 1].head_end;
  for (std::uint32_t i = family.first_line; i < family.end_line; ++i) {
    const Layout::Line line = layout.lines[i];
    if (const std::optional<double>& value = values[line.value]; value) {
      if (!headed) writer.Write(family.head);
      headed = true;
      writer.Write({layout.heads.data() + begin, line.head_end - begin});
      writer.WriteValue(*value);
    }
    begin = line.head_end;
  }
}

// The open sets of a family: their lines are few and made anew each time.
std::string OpenLines(const Snapshot& snapshot, const Layout::Family& family) {
  const Layout& layout = *snapshot.layout;
  std::string out;
  char number[kMaxNumberSize];
  for (std::uint32_t row : family.open_rows) {
    auto sample = std::ranges::lower_bound(snapshot.open, row, {}, &OpenSample::row);
    for (; sample != snapshot.open.end() && sample->row == row; ++sample) {
      out.append(family.name).append("{").append(layout.device_labels[sample->device]).append(",");
      out.append(layout.open_labels[row](sample->key)).append("} ");
      out.append(number, WriteNumber(number, sample->value)).append("\n");
    }
  }
  return out;
}

}  // namespace

void EncodeText(const Snapshot& snapshot, std::string& out) {
  const Layout& layout = *snapshot.layout;
  std::size_t used = out.size();
  const auto flush = [&](const Writer& writer) {
    used = static_cast<std::size_t>(writer.end() - out.data());
  };
  out.resize(used + MostBytes(layout));
  for (const Layout::Family& family : layout.families) {
    Writer writer(out.data() + used);
    bool headed = false;
    WriteLines(layout, family, snapshot.values, headed, writer);
    flush(writer);
    if (family.open_rows.empty()) continue;
    const std::string open = OpenLines(snapshot, family);
    if (open.empty()) continue;
    if (!headed) {
      Writer head(out.data() + used);
      head.Write(family.head);
      flush(head);
    }
    out.insert(used, open);
    used += open.size();
  }
  out.resize(used);
}

}  // namespace ascend

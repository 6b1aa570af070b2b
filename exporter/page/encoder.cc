#include "exporter/page/encoder.h"

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
                const std::vector<std::optional<double>>& values, Writer& writer) {
  bool headed = false;
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

}  // namespace

void EncodeText(const Snapshot& snapshot, std::string& out) {
  const Layout& layout = *snapshot.layout;
  const std::size_t before = out.size();
  out.resize(before + MostBytes(layout));
  Writer writer(out.data() + before);
  for (const Layout::Family& family : layout.families) {
    WriteLines(layout, family, snapshot.values, writer);
  }
  out.resize(static_cast<std::size_t>(writer.end() - out.data()));
}

}  // namespace ascend

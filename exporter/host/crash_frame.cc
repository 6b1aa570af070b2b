#include "exporter/host/crash_frame.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace ascend {
namespace {

using Address = std::uintptr_t;

constexpr std::size_t kMostFrames = 64;
constexpr std::size_t kPathBytes = 512;
constexpr int kHex = 16;

// Libraries in which a crash is the fault of their caller.
constexpr std::string_view kCalledByAll[] = {"libc.",   "libc-",      "ld-",     "libpthread",
                                             "libm.",   "libm-",      "libdl",   "libgcc_s",
                                             "libasan", "libstdc++.", "libtsan", "libubsan"};

// A text of bounded length in memory of somebody else.
class BoundedText {
 public:
  explicit BoundedText(std::span<char> space) : space_(space) { End(); }

  void Append(std::string_view text) {
    const std::size_t fits = std::min(text.size(), space_.size() - 1 - size_);
    std::copy_n(text.begin(), fits, space_.begin() + static_cast<std::ptrdiff_t>(size_));
    size_ += fits;
    End();
  }

  void AppendHex(Address value) {
    std::array<char, 2 * sizeof value> digits;
    const auto written = std::to_chars(digits.begin(), digits.end(), value, kHex);
    Append("0x");
    Append({digits.data(), static_cast<std::size_t>(written.ptr - digits.data())});
  }

  [[nodiscard]] std::string_view text() const { return {space_.data(), size_}; }

 private:
  void End() { space_[size_] = '\0'; }

  std::span<char> space_;
  std::size_t size_ = 0;
};

// The lines of a file, one after the other, without a stream; of a longer one the beginning.
class Lines {
 public:
  explicit Lines(const char* path) : file_(open(path, O_RDONLY | O_CLOEXEC)) {}
  Lines(const Lines&) = delete;
  Lines& operator=(const Lines&) = delete;
  ~Lines() {
    if (file_ >= 0) close(file_);
  }

  // Valid until the next call.
  std::optional<std::string_view> Next() {
    std::size_t size = 0;
    while (begin_ < end_ || Refill()) {
      const char c = buffer_[begin_++];
      if (c == '\n') return std::string_view(line_.data(), size);
      if (size < line_.size()) line_[size++] = c;
    }
    return std::nullopt;
  }

 private:
  bool Refill() {
    ssize_t bytes = 0;
    do {
      bytes = read(file_, buffer_.data(), buffer_.size());
    } while (bytes < 0 && errno == EINTR);
    begin_ = 0;
    end_ = bytes > 0 ? static_cast<std::size_t>(bytes) : 0;
    return end_ > 0;
  }

  const int file_;
  std::array<char, 1024> buffer_;
  std::array<char, kPathBytes> line_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

// One line of /proc/self/maps, see proc(5): "start-end perms offset device inode   path".
struct Mapping {
  Address start = 0;
  Address end = 0;
  Address file_offset = 0;
  std::string_view path;
};

std::string_view TakeWord(std::string_view& rest) {
  const std::string_view word = rest.substr(0, rest.find(' '));
  rest.remove_prefix(word.size());
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  return word;
}

Mapping ReadMapping(std::string_view line) {
  Mapping mapping;
  const std::string_view range = TakeWord(line);
  const char* const range_end = range.data() + range.size();
  const char* const dash = std::from_chars(range.data(), range_end, mapping.start, kHex).ptr;
  if (dash != range_end) std::from_chars(dash + 1, range_end, mapping.end, kHex);
  TakeWord(line);  // permissions
  const std::string_view offset = TakeWord(line);
  std::from_chars(offset.data(), offset.data() + offset.size(), mapping.file_offset, kHex);
  TakeWord(line);  // device
  TakeWord(line);  // inode
  mapping.path = line;
  return mapping;
}

// Addresses of the frames, the innermost first.
struct Frames {
  std::array<Address, kMostFrames> addresses;
  std::size_t count = 0;

  void Add(Address address) {
    if (count < addresses.size()) addresses[count++] = address;
  }
};

Address ProgramCounter(const ucontext_t& context) {
#if defined(__x86_64__)
  return static_cast<Address>(context.uc_mcontext.gregs[REG_RIP]);
#else
  return context.uc_mcontext.pc;
#endif
}

// Where a function that was just called would return to.
Address ReturnAddress(const ucontext_t& context) {
#if defined(__x86_64__)
  return *reinterpret_cast<const Address*>(context.uc_mcontext.gregs[REG_RSP]);
#else
  return context.uc_mcontext.regs[30];
#endif
}

void CollectFrames(const ucontext_t* context, Frames& frames) {
  if (context != nullptr) {
    constexpr Address kFirstPage = 4096;
    const Address counter = ProgramCounter(*context);
    frames.Add(counter);
    // A call of a null pointer: the unwinder knows no function there and would stop.
    if (counter < kFirstPage) frames.Add(ReturnAddress(*context) - 1);
  }
  std::array<void*, kMostFrames> returns;
  const int count = backtrace(returns.data(), static_cast<int>(returns.size()));
  for (int i = 0; i < count; ++i) {
    // Behind a call; minus 1 is inside of it even if the function ends there.
    frames.Add(reinterpret_cast<Address>(returns[static_cast<std::size_t>(i)]) - 1);
  }
}

std::string_view BaseName(std::string_view path) { return path.substr(path.rfind('/') + 1); }

bool IsCalledByAll(std::string_view path) {
  const std::string_view name = BaseName(path);
  return name.starts_with('[') ||
         std::any_of(std::begin(kCalledByAll), std::end(kCalledByAll),
                     [&](std::string_view known) { return name.starts_with(known); });
}

// A frame and the file that its code is from.
struct Place {
  std::size_t rank = kMostFrames;  // among the frames; kMostFrames: none found yet
  Address address = 0;
  Address base = 0;  // where the file's beginning is mapped
  std::array<char, kPathBytes> name_space{};
  std::size_t name_size = 0;

  [[nodiscard]] bool found() const { return rank < kMostFrames; }

  void TakeIfFurtherIn(const Frames& frames, const Mapping& mapping, Address mapped_base) {
    for (std::size_t i = 0; i < frames.count && i < rank; ++i) {
      if (frames.addresses[i] < mapping.start || frames.addresses[i] >= mapping.end) continue;
      rank = i;
      address = frames.addresses[i];
      base = mapped_base;
      const std::string_view name = BaseName(mapping.path);
      name_size = std::min(name.size(), name_space.size());
      std::copy_n(name.begin(), name_size, name_space.begin());
    }
  }
};

void DescribePlace(const Place& place, std::span<char> text) {
  BoundedText out(text);
  out.Append({place.name_space.data(), place.name_size});
  out.Append("+");
  out.AppendHex(place.address - place.base);
  Dl_info symbol{};
  if (dladdr(reinterpret_cast<void*>(place.address), &symbol) == 0) return;
  if (symbol.dli_sname == nullptr) return;
  out.Append(" (");
  out.Append(symbol.dli_sname);
  out.Append(")");
}

}  // namespace

void PrepareCrashFrames() {
  std::array<void*, 1> frame;
  backtrace(frame.data(), static_cast<int>(frame.size()));  // loads libgcc_s the first time
}

void FindCrashFrame(const ucontext_t* context, std::span<char> text) {
  text.front() = '\0';
  Frames frames;
  CollectFrames(context, frames);

  std::array<char, kPathBytes> own_path;
  const ssize_t own_size = readlink("/proc/self/exe", own_path.data(), own_path.size());
  const std::string_view own(own_path.data(),
                             own_size > 0 ? static_cast<std::size_t>(own_size) : 0);

  Place innermost;
  Place outside;
  Address base = 0;
  Lines maps("/proc/self/maps");
  while (const std::optional<std::string_view> line = maps.Next()) {
    const Mapping mapping = ReadMapping(*line);
    if (mapping.path.empty()) continue;
    if (mapping.file_offset == 0) base = mapping.start;  // a library's mappings follow its first
    innermost.TakeIfFurtherIn(frames, mapping, base);
    if (mapping.path == own || IsCalledByAll(mapping.path)) continue;
    outside.TakeIfFurtherIn(frames, mapping, base);
  }
  if (outside.found()) return DescribePlace(outside, text);
  if (innermost.found()) DescribePlace(innermost, text);
}

}  // namespace ascend

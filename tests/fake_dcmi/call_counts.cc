#include "call_counts.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <functional>
#include <system_error>

namespace fake_dcmi {
namespace {

constexpr std::uint32_t kFree = 0;
constexpr std::uint32_t kClaimed = 1;
constexpr std::uint32_t kInUse = 2;
constexpr int kPatience = 10'000;  // a process may have died between claiming and naming a record

// Whether the record is that of the name, made so if it was free.
bool Claim(CountRecord& record, std::string_view name) {
  std::uint32_t state = kFree;
  if (record.state == kFree && record.state.compare_exchange_strong(state, kClaimed)) {
    std::memcpy(record.name, name.data(), name.size());
    record.name[name.size()] = '\0';
    record.state = kInUse;
    return true;
  }
  for (int i = 0; record.state != kInUse && i < kPatience; ++i) sched_yield();
  return record.state == kInUse && name == record.name;
}

}  // namespace

CallCounts::CallCounts(const std::string& path) {
  const std::size_t size = kRecords * sizeof(CountRecord);
  const int file = path.empty() ? -1 : open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  const bool usable = path.empty() || (file >= 0 && ftruncate(file, static_cast<off_t>(size)) == 0);
  if (usable) {
    const int kind = path.empty() ? MAP_SHARED | MAP_ANONYMOUS : MAP_SHARED;
    void* mapped = mmap(nullptr, size, PROT_READ | PROT_WRITE, kind, file, 0);
    if (mapped != MAP_FAILED) records_ = static_cast<CountRecord*>(mapped);
  }
  if (records_ == nullptr) std::fprintf(stderr, "fake_dcmi: cannot map %s\n", path.c_str());
  if (file >= 0) close(file);
}

CallCounts::~CallCounts() {
  if (records_ != nullptr) munmap(records_, kRecords * sizeof(CountRecord));
}

std::uint64_t CallCounts::Add(std::string_view name) {
  if (records_ == nullptr || name.size() >= sizeof(CountRecord::name)) return 0;
  const std::size_t start = std::hash<std::string_view>()(name);
  for (std::size_t i = 0; i < kRecords; ++i) {
    CountRecord& record = records_[(start + i) % kRecords];
    if (Claim(record, name)) return ++record.count;
  }
  return 0;
}

CountName& CountName::operator+=(std::string_view text) {
  const std::size_t fits = std::min(text.size(), sizeof(text_) - size_);
  std::memcpy(text_ + size_, text.data(), fits);
  size_ += fits;
  return *this;
}

CountName& CountName::operator+=(int number) {
  const auto [end, error] = std::to_chars(text_ + size_, text_ + sizeof(text_), number);
  if (error == std::errc()) size_ = static_cast<std::size_t>(end - text_);
  return *this;
}

}  // namespace fake_dcmi

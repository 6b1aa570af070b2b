#include "call_counts.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <functional>

namespace fake_dcmi {
namespace {

constexpr std::uint32_t kFree = 0;
constexpr std::uint32_t kClaimed = 1;
constexpr std::uint32_t kInUse = 2;
constexpr int kPatience = 10'000;  // a process may have died between claiming and naming a record

// Whether the record is that of the name, made so if it was free.
bool Claim(CountRecord& record, const std::string& name) {
  std::uint32_t state = kFree;
  if (record.state.compare_exchange_strong(state, kClaimed)) {
    std::memcpy(record.name, name.c_str(), name.size() + 1);
    record.state = kInUse;
    return true;
  }
  for (int i = 0; record.state != kInUse && i < kPatience; ++i) sched_yield();
  return record.state == kInUse && name == record.name;
}

}  // namespace

CallCounts::CallCounts(const std::string& path) {
  if (path.empty()) return;
  const int file = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  const std::size_t size = kRecords * sizeof(CountRecord);
  if (file >= 0 && ftruncate(file, static_cast<off_t>(size)) == 0) {
    void* mapped = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (mapped != MAP_FAILED) records_ = static_cast<CountRecord*>(mapped);
  }
  if (records_ == nullptr) std::fprintf(stderr, "fake_dcmi: cannot map %s\n", path.c_str());
  if (file >= 0) close(file);
}

CallCounts::~CallCounts() {
  if (records_ != nullptr) munmap(records_, kRecords * sizeof(CountRecord));
}

void CallCounts::Add(const std::string& name) {
  if (records_ == nullptr || name.size() >= sizeof(CountRecord::name)) return;
  const std::size_t start = std::hash<std::string>()(name);
  for (std::size_t i = 0; i < kRecords; ++i) {
    CountRecord& record = records_[(start + i) % kRecords];
    if (!Claim(record, name)) continue;
    record.count += 1;
    return;
  }
}

}  // namespace fake_dcmi

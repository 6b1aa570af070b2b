#include "call.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string_view>
#include <thread>

#include "admin_rule.h"
#include "call_counts.h"

namespace fake_dcmi {
namespace {

constexpr auto kHangPoll = std::chrono::milliseconds(5);

// What changes when a file is written or replaced.
struct Stamp {
  explicit Stamp(const std::string& path) {
    struct stat status {};
    if (stat(path.c_str(), &status) != 0) return;
    inode = status.st_ino;
    size = status.st_size;
    modified = status.st_mtim.tv_sec * 1'000'000'000L + status.st_mtim.tv_nsec;
    changed = status.st_ctim.tv_sec * 1'000'000'000L + status.st_ctim.tv_nsec;
  }
  Stamp() = default;
  bool operator==(const Stamp&) const = default;
  ino_t inode = 0;
  off_t size = 0;
  long modified = 0;
  long changed = 0;
};

std::string Environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// The state of the library: one per process, as the vendor's.
class Session {
 public:
  ~Session() {
    if (device_ >= 0) close(device_);
  }

  void Forget() {
    const std::lock_guard lock(mutex_);
    path_ = Environment("FAKE_DCMI_DATA");
    counts_ = std::make_shared<CallCounts>(Environment("FAKE_DCMI_COUNTS"));
    machine_ = nullptr;
    started_ = false;
    administrator_ = true;
    at_start_ = nullptr;
    ++number_;
  }

  Snapshot Take() {
    const std::lock_guard lock(mutex_);
    Reload();
    return {number_, at_start_, machine_};
  }

  int Start() {
    const std::lock_guard lock(mutex_);
    Reload();
    if (!machine_->admin_device.empty()) {
      if (device_ >= 0) close(device_);
      device_ = open(machine_->admin_device.c_str(), O_RDWR | O_CLOEXEC);
      if (device_ < 0) return kInnerError;
      administrator_ = IsAdministrator(machine_->host_mount_namespace);
      machine_ = nullptr;
    }
    Reload();
    at_start_ = machine_;
    started_ = true;
    return kOk;
  }

  std::shared_ptr<const Machine> Now(bool& started) {
    const std::lock_guard lock(mutex_);
    Reload();
    started = started_;
    return machine_;
  }

  std::shared_ptr<CallCounts> counts() {
    const std::lock_guard lock(mutex_);
    if (counts_ == nullptr) {
      counts_ = std::make_shared<CallCounts>(Environment("FAKE_DCMI_COUNTS"));
    }
    return counts_;
  }

 private:
  void Reload() {
    if (path_.empty()) path_ = Environment("FAKE_DCMI_DATA");
    const Stamp stamp(path_);
    if (machine_ != nullptr && stamp == stamp_) return;
    stamp_ = stamp;
    Machine machine = ReadMachine(path_);
    if (!machine.problem.empty()) {
      std::fprintf(stderr, "fake_dcmi: %s\n", machine.problem.c_str());
    }
    if (!administrator_) {
      machine.cards.clear();
      machine.chips.clear();
    }
    machine_ = std::make_shared<const Machine>(std::move(machine));
  }

  std::mutex mutex_;
  std::string path_;
  Stamp stamp_;
  std::shared_ptr<const Machine> machine_;
  std::shared_ptr<CallCounts> counts_;
  bool started_ = false;
  bool administrator_ = true;
  int number_ = 0;
  std::shared_ptr<const Machine> at_start_;
  int device_ = -1;
};

Session& TheSession() {
  static Session session;
  return session;
}

// As rules write it, but for the main command 0.
std::string TypeText(int type) {
  const int main = type >> 16;
  const std::string sub = std::to_string(type & 0xFFFF);
  return main > 0 ? std::to_string(main) + "/" + sub : sub;
}

// `pattern` is a name, or its beginning and a "*".
bool FunctionMatches(std::string_view pattern, std::string_view function) {
  if (!pattern.ends_with('*')) return pattern == function;
  pattern.remove_suffix(1);
  return function.starts_with(pattern);
}

template <class Char>
void Fill(std::span<Char> out, const std::string& text) {
  std::ranges::fill(out, Char{});
  std::memcpy(out.data(), text.data(), std::min(out.size(), text.size()));
}

}  // namespace

void ForgetSession() { TheSession().Forget(); }

int StartSession() { return TheSession().Start(); }

Snapshot TakeSnapshot() { return TheSession().Take(); }

Call::Call(const char* function) : function_(function) {
  machine_ = TheSession().Now(started_);
  Count();
}

Call::Call(const char* function, LogicId logic_id, std::optional<int> type)
    : function_(function), type_(type) {
  machine_ = TheSession().Now(started_);
  if (started_) chip_ = machine_->WithLogicId(logic_id.value);
  if (chip_ != nullptr) {
    card_ = chip_->card;
    device_id_ = chip_->device_id;
  }
  Count();
}

Call::Call(const char* function, int card) : function_(function), card_(card) {
  machine_ = TheSession().Now(started_);
  Count();
}

Call::Call(const char* function, int card, int device_id, std::optional<int> type)
    : function_(function), card_(card), device_id_(device_id), type_(type) {
  machine_ = TheSession().Now(started_);
  if (started_) chip_ = machine_->At(card, device_id);
  Count();
}

void Call::Count() const {
  const auto counts = TheSession().counts();
  counts->Add(function_);
  if (type_) counts->Add(function_ + ":" + TypeText(*type_));
  if (!card_) return;
  const std::string device = device_id_ ? std::to_string(*device_id_) : "*";
  counts->Add(function_ + " " + std::to_string(*card_) + "/" + device);
}

bool Call::HasGeneration() const {
  return machine_->generation == (function_.starts_with("dcmiv2_") ? 2 : 1);
}

bool Call::Matches(const Rule& rule) const {
  if (!FunctionMatches(rule.function, function_)) return false;
  if (rule.type && rule.type != type_) return false;
  if (rule.target == "*") return true;
  if (chip_ != nullptr && rule.target == std::to_string(chip_->physical_id)) return true;
  if (!card_) return false;
  const std::string card = std::to_string(*card_) + "/";
  return rule.target == card + "*" ||
         (device_id_ && rule.target == card + std::to_string(*device_id_));
}

std::vector<const Rule*> Call::RulesOf(const std::string& action) const {
  std::vector<const Rule*> rules;
  for (const Rule& rule : machine_->rules) {
    if (rule.action == action && Matches(rule)) rules.push_back(&rule);
  }
  return rules;
}

std::optional<int> Call::Verdict() {
  if (const auto slow = RulesOf("slow"); !slow.empty()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(slow.back()->number));
  }
  // The chip stays that of the start of the call: a hang is over when the rule is gone.
  const std::shared_ptr<const Machine> at_start = machine_;
  while (!RulesOf("hang").empty()) {
    std::this_thread::sleep_for(kHangPoll);
    bool started = false;
    machine_ = TheSession().Now(started);
  }
  if (at_start != machine_ && card_ && device_id_) chip_ = machine_->At(*card_, *device_id_);
  if (!RulesOf("crash").empty()) std::raise(SIGSEGV);
  if (const auto code = RulesOf("code"); !code.empty() && code.back()->number != 0) {
    return static_cast<int>(code.back()->number);
  }
  if (!machine_->problem.empty()) return kInnerError;
  if (!HasGeneration()) return kNotSupported;
  return std::nullopt;
}

std::optional<int> Call::ChipVerdict(const void* out) {
  if (const auto code = Verdict()) return code;
  if (out == nullptr || !card_) return kInvalidParameter;
  if (chip_ != nullptr) return std::nullopt;
  const auto mcu = machine_->mcu_ids.find(*card_);
  const bool is_mcu = mcu != machine_->mcu_ids.end() && mcu->second == device_id_;
  return is_mcu ? kNotSupported : kInvalidParameter;
}

std::optional<std::int64_t> Call::RuledNumber(const std::string& field) const {
  std::optional<std::int64_t> number;
  for (const Rule* rule : RulesOf("value")) {
    if (rule->field.empty() || rule->field == field) number = rule->number;
  }
  return number;
}

void Call::SetText(std::span<char> out, const char* field, const std::string& text) const {
  Fill(out, text);
  for (const Rule* rule : RulesOf("text")) {
    if (rule->field == field) Fill(out, rule->text);
  }
}

void Call::SetText(std::span<unsigned char> out, const char* field, const std::string& text) const {
  SetText(std::span<char>(reinterpret_cast<char*>(out.data()), out.size()), field, text);
}

}  // namespace fake_dcmi

#include "machine_data.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

namespace fake_dcmi {
namespace {

using Words = std::vector<std::string>;

std::string Decode(const std::string& text) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size()) {
      decoded += static_cast<char>(std::strtoul(text.substr(i + 1, 2).c_str(), nullptr, 16));
      i += 2;
    } else {
      decoded += text[i];
    }
  }
  return decoded;
}

Words Split(const std::string& line) {
  std::istringstream stream(line.substr(0, line.find('#')));
  return {std::istream_iterator<std::string>(stream), {}};
}

bool Numbers(const Words& words, std::size_t first, std::initializer_list<int*> out) {
  if (words.size() < first + out.size()) return false;
  for (int* number : out) {
    const auto value = ParseNumber(words[first++]);
    if (!value) return false;
    *number = static_cast<int>(*value);
  }
  return true;
}

void AddCard(Machine& machine, int card) {
  if (!machine.HasCard(card)) machine.cards.push_back(card);
}

bool ReadCard(Machine& machine, const Words& words) {
  int card = 0;
  if (!Numbers(words, 1, {&card})) return false;
  AddCard(machine, card);
  return words.size() == 2 || (words[2] == "mcu" && Numbers(words, 3, {&machine.mcu_ids[card]}));
}

bool ReadChip(Machine& machine, const Words& words) {
  Chip chip;
  if (!Numbers(words, 1, {&chip.physical_id, &chip.card, &chip.device_id, &chip.logic_id})) {
    return false;
  }
  AddCard(machine, chip.card);
  machine.chips.push_back(std::move(chip));
  return true;
}

bool ReadSet(Machine& machine, const Words& words) {
  int id = 0;
  if (words.size() < 4 || !Numbers(words, 1, {&id})) return false;
  for (Chip& chip : machine.chips) {
    if (chip.physical_id != id) continue;
    Words& values = chip.values[words[2]];
    values.clear();
    for (std::size_t i = 3; i < words.size(); ++i) values.push_back(Decode(words[i]));
    return true;
  }
  return false;
}

bool ReadEvent(Machine& machine, const Words& words) {
  OneOff event;
  int code = 0;
  if (words.size() != 4 || !Numbers(words, 1, {&event.physical_id, &code, &event.assertion})) {
    return false;
  }
  event.code = static_cast<unsigned int>(code);
  machine.events.push_back(event);
  return true;
}

// A number, or MAIN/SUB.
std::optional<int> ParseType(const std::string& text) {
  const auto slash = text.find('/');
  if (slash == std::string::npos) {
    const auto type = ParseNumber(text);
    return type ? std::optional(static_cast<int>(*type)) : std::nullopt;
  }
  const auto main = ParseNumber(text.substr(0, slash));
  const auto sub = ParseNumber(text.substr(slash + 1));
  if (!main || !sub) return std::nullopt;
  return InfoType(static_cast<int>(*main), static_cast<unsigned int>(*sub));
}

bool ReadAction(Rule& rule, const Words& words) {
  const bool fielded = words.size() > 5;
  if (rule.action == "hang" || rule.action == "crash") return words.size() == 4;
  if (words.size() < 5 || words.size() > 6) return false;
  if (fielded) rule.field = words[4];
  if (rule.action == "text") {
    rule.text = Decode(words.back());
    return fielded;
  }
  const auto number = ParseNumber(words.back());
  if (!number) return false;
  rule.number = *number;
  return rule.action == "value" || ((rule.action == "code" || rule.action == "slow") && !fielded);
}

bool ReadRule(Machine& machine, const Words& words) {
  if (words.size() < 4) return false;
  Rule rule;
  rule.function = words[1];
  rule.target = words[2];
  rule.action = words[3];
  if (const auto colon = rule.function.find(':'); colon != std::string::npos) {
    rule.type = ParseType(rule.function.substr(colon + 1));
    if (!rule.type) return false;
    rule.function.resize(colon);
  }
  if (!ReadAction(rule, words)) return false;
  machine.rules.push_back(std::move(rule));
  return true;
}

bool ReadOfMachine(Machine& machine, const Words& words) {
  const std::string& kind = words[0];
  if (words.size() < 2) return false;
  if (kind == "driver_version") {
    machine.driver_version = Decode(words[1]);
  } else if (kind == "library_version") {
    machine.library_version = Decode(words[1]);
  } else if (kind == "generation") {
    return Numbers(words, 1, {&machine.generation});
  } else if (kind == "driver_health") {
    return Numbers(words, 1, {&machine.driver_health.emplace()});
  } else if (kind == "admin") {
    machine.admin_device = Decode(words[1]);
    if (words.size() > 2) {
      machine.host_mount_namespace = static_cast<std::uint64_t>(ParseNumber(words[2]).value_or(0));
    }
  } else {
    return false;
  }
  return true;
}

bool ReadLine(Machine& machine, const Words& words) {
  const std::string& kind = words[0];
  if (kind == "card") return ReadCard(machine, words);
  if (kind == "chip") return ReadChip(machine, words);
  if (kind == "set") return ReadSet(machine, words);
  if (kind == "event") return ReadEvent(machine, words);
  if (kind == "rule") return ReadRule(machine, words);
  return ReadOfMachine(machine, words);
}

}  // namespace

std::optional<std::int64_t> ParseNumber(const std::string& word) {
  if (word.empty()) return std::nullopt;
  const char* end = word.c_str() + word.size();
  char* stop = nullptr;
  errno = 0;
  const auto value = word[0] == '-'
                         ? std::strtoll(word.c_str(), &stop, 0)
                         : static_cast<std::int64_t>(std::strtoull(word.c_str(), &stop, 0));
  if (errno != 0 || stop != end) return std::nullopt;
  return value;
}

const std::vector<std::string>* Chip::Find(const std::string& key) const {
  const auto found = values.find(key);
  return found == values.end() ? nullptr : &found->second;
}

std::optional<std::int64_t> Chip::Number(const std::string& key) const {
  const auto* words = Find(key);
  return words == nullptr ? std::nullopt : ParseNumber(words->front());
}

std::string Chip::Text(const std::string& key) const {
  const auto* words = Find(key);
  return words == nullptr ? "" : words->front();
}

std::optional<std::vector<std::int64_t>> Chip::Numbers(const std::string& key,
                                                       std::size_t least) const {
  const auto* words = Find(key);
  if (words == nullptr) return std::nullopt;
  std::vector<std::int64_t> numbers;
  for (const auto& word : *words) {
    if (const auto number = ParseNumber(word)) numbers.push_back(*number);
  }
  if (numbers.size() < least) return std::nullopt;
  return numbers;
}

std::optional<std::vector<double>> Chip::Reals(const std::string& key) const {
  const auto* words = Find(key);
  if (words == nullptr) return std::nullopt;
  std::vector<double> reals;
  for (const auto& word : *words) reals.push_back(std::strtod(word.c_str(), nullptr));
  return reals;
}

const Chip* Machine::WithPhysicalId(int physical_id) const {
  const auto found = std::ranges::find(chips, physical_id, &Chip::physical_id);
  return found == chips.end() ? nullptr : &*found;
}

const Chip* Machine::At(int card, int device_id) const {
  const auto found = std::ranges::find_if(
      chips, [&](const Chip& chip) { return chip.card == card && chip.device_id == device_id; });
  return found == chips.end() ? nullptr : &*found;
}

const Chip* Machine::WithLogicId(unsigned int logic_id) const {
  const auto found = std::ranges::find_if(chips, [&](const Chip& chip) {
    return static_cast<unsigned int>(chip.logic_id) == logic_id;
  });
  return found == chips.end() ? nullptr : &*found;
}

const Chip* Machine::FirstOf(int card) const {
  const auto found = std::ranges::find(chips, card, &Chip::card);
  return found == chips.end() ? nullptr : &*found;
}

int Machine::ChipsOf(int card) const {
  return static_cast<int>(std::ranges::count(chips, card, &Chip::card));
}

bool Machine::HasCard(int card) const { return std::ranges::find(cards, card) != cards.end(); }

Machine ReadMachine(const std::string& path) {
  Machine machine;
  std::ifstream file(path, std::ios::binary);
  if (!file) machine.problem = path + ": cannot be read";
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    if (file.eof()) break;  // a line that is still being written has no end yet
    const Words words = Split(line);
    if (words.empty() || ReadLine(machine, words) || !machine.problem.empty()) continue;
    machine.problem = path + ":" + std::to_string(number) + ": cannot read \"" + line + "\"";
  }
  return machine;
}

}  // namespace fake_dcmi

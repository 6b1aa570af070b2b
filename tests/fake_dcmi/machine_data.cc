#include "machine_data.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <utility>

namespace fake_dcmi {
namespace {

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
    Value& value = chip.values[words[2]] = {};
    for (std::size_t i = 3; i < words.size(); ++i) {
      value.words.push_back(Decode(words[i]));
      if (const auto number = ParseNumber(value.words.back())) value.numbers.push_back(*number);
    }
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

bool ReadRule(Machine& machine, const Words& words) {
  auto rule = ParseRule(words);
  if (rule) machine.rules.push_back(std::move(*rule));
  return rule.has_value();
}

bool ReadCost(Machine& machine, const Words& words) {
  int microseconds = 0;
  if (!Numbers(words, 1, {&microseconds}) || words.size() > 3) return false;
  machine.cost = std::chrono::microseconds(microseconds);
  machine.cost_is_work = words.size() == 3;
  return words.size() == 2 || words[2] == "spin";
}

bool ReadOfMachine(Machine& machine, const Words& words) {
  const std::string& kind = words[0];
  if (kind == "one_lock") return machine.one_lock = words.size() == 1;
  if (words.size() < 2) return false;
  if (kind == "driver_version") {
    machine.driver_version = Decode(words[1]);
  } else if (kind == "library_version") {
    machine.library_version = Decode(words[1]);
  } else if (kind == "generation") {
    return Numbers(words, 1, {&machine.generation});
  } else if (kind == "recheck") {
    int milliseconds = 0;
    if (!Numbers(words, 1, {&milliseconds})) return false;
    machine.recheck = std::chrono::milliseconds(milliseconds);
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
  if (kind == "cost") return ReadCost(machine, words);
  return ReadOfMachine(machine, words);
}

}  // namespace

const std::vector<std::string>* Chip::Find(const std::string& key) const {
  const auto found = values.find(key);
  return found == values.end() ? nullptr : &found->second.words;
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
  const auto found = values.find(key);
  if (found == values.end() || found->second.numbers.size() < least) return std::nullopt;
  return found->second.numbers;
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

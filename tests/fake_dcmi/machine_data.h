// The data file that the stand-in is filled from, one item a line; tests/tools/fake_data.py writes
// it. Text is percent-encoded (%20, %ff), so that no item holds a blank; numbers are decimal or 0x.
//
//   driver_version TEXT            library_version TEXT
//   generation N                   1, as without this line: the functions dcmi_* work; 2 (950): the
//                                  functions dcmiv2_*. Those of the other one answer -8255
//   driver_health N                health of the kernel driver, 0 ok to 3 critical; without this
//                                  line the call answers -8255
//   admin PATH [INODE]             dcmi_init and dcmiv2_init open the device PATH and apply the
//                                  kernel driver's rule of who is an administrator; INODE: the
//                                  host's mount namespace
//   card CARD [mcu ID]             a card, even if no chip follows
//   chip PHYSICAL_ID CARD DEVICE_ID LOGIC_ID
//   set PHYSICAL_ID KEY VALUE...   what the chip answers, in the vendor's units; what is not set is
//                                  answered by -8255. Keys: see identity.cc, condition.cc,
//                                  measurements.cc, load_and_memory.cc, device_info.cc, links.cc
//                                  and network.cc; a later line for the same key wins
//   event PHYSICAL_ID CODE ASSERTION
//                                  a fault event beyond those of changes of the key faults; every
//                                  such line that is new since the last look is sent once
//                                  (fault_events.cc)
//   recheck MS                     a change of this file is seen so much later at most; without
//   this
//                                  line, or with 0, by the next call. It makes a call cheap
//   cost MICROSECONDS [spin]       every call takes so much longer, asleep or, with spin, at work
//   one_lock                       one call at a time, as in a library with one lock around all:
//                                  the others wait for it, however long it sleeps or hangs
//   rule FUNCTION[:TYPE] TARGET ACTION...
//
// A rule changes the answers of one function ("*": of all, NAME*: of all that begin so), of one
// input type of it (MAIN/SUB for dcmi_get_device_info), for one TARGET: "*", a physical id, or
// CARD/DEVICE_ID (CARD/* for calls that name only a card). Later rules win.
//
//   code N              return N and write nothing; 0 takes an earlier code back
//   value [FIELD] N     answer N in every number of the answer, or in one field or output parameter
//   text FIELD TEXT     answer TEXT in a character field; not terminated where it fills the field
//   garbage [KIND]      return 0 and fill every byte of every out-parameter, whatever the arguments
//                       are: random (the same for the same how-manieth such call of the function
//                       for the device), ones, zeros, or text (letters, no text ends)
//   slow MS             return only after that time
//   hang                return only when no such rule is in the file any more
//   crash [KIND [N [NAME]]]
//                       die in the call: segv (a null write), abort, exit (exit(3)), _exit
//                       (_exit(3)), stack (overflow), heap (double free). With N above 0 the first
//                       N calls only, of all processes that share FAKE_DCMI_COUNTS, where they are
//                       counted as "crash NAME"; NAME is "FUNCTION TARGET" if left out
//
// FUNCTION may be "dlopen", with TARGET "*": the library slows, hangs or crashes while it is
// loaded.
#pragma once

#include <chrono>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "rule.h"
#include "words.h"

namespace fake_dcmi {

// What a line "set" gives a key: the words, and those of them that are numbers.
struct Value {
  Words words;
  std::vector<std::int64_t> numbers;
};

struct Chip {
  int physical_id = 0;
  int card = 0;
  int device_id = 0;
  int logic_id = 0;
  std::map<std::string, Value> values;  // by key

  // The words of a key, or nothing.
  const std::vector<std::string>* Find(const std::string& key) const;
  // The first word of a key as a number, or nothing.
  std::optional<std::int64_t> Number(const std::string& key) const;
  // The first word of a key; empty where there is none.
  std::string Text(const std::string& key) const;
  // The words of a key that are numbers; nothing where the chip lacks it or has fewer than `least`.
  std::optional<std::vector<std::int64_t>> Numbers(const std::string& key, std::size_t least) const;
  std::optional<std::vector<double>> Reals(const std::string& key) const;
};

// A line "event".
struct OneOff {
  int physical_id = 0;
  unsigned int code = 0;
  int assertion = 0;
  auto operator<=>(const OneOff&) const = default;
};

struct Machine {
  std::string driver_version;
  std::string library_version;
  std::string admin_device;
  std::uint64_t host_mount_namespace = 0;  // 0: compare with that of process 1
  std::vector<int> cards;                  // in the order of the file
  std::map<int, int> mcu_ids;              // by card
  std::vector<Chip> chips;
  std::vector<Rule> rules;
  std::vector<OneOff> events;
  std::chrono::milliseconds recheck{0};
  std::chrono::microseconds cost{0};
  bool cost_is_work = false;
  bool one_lock = false;
  int generation = 1;
  std::optional<int> driver_health;
  std::string problem;  // the first line that could not be read, or why the file could not

  const Chip* WithPhysicalId(int physical_id) const;
  const Chip* At(int card, int device_id) const;
  const Chip* WithLogicId(unsigned int logic_id) const;
  const Chip* FirstOf(int card) const;
  int ChipsOf(int card) const;
  bool HasCard(int card) const;
};

// The input type of dcmi_get_device_info, as rules name it: MAIN/SUB.
constexpr int InfoType(int main_cmd, unsigned int sub_cmd) {
  return main_cmd << 16 | static_cast<int>(sub_cmd);
}

Machine ReadMachine(const std::string& path);

}  // namespace fake_dcmi

// The data file that the stand-in is filled from, one item a line; tests/tools/fake_data.py writes
// it. Text is percent-encoded (%20, %ff), so that no item holds a blank; numbers are decimal or 0x.
//
//   driver_version TEXT            library_version TEXT
//   admin PATH [INODE]             dcmi_init opens the device PATH and applies the kernel driver's
//   rule
//                                  of who is an administrator; INODE: the host's mount namespace
//   card CARD [mcu ID]             a card, even if no chip follows
//   chip PHYSICAL_ID CARD DEVICE_ID LOGIC_ID
//   set PHYSICAL_ID KEY VALUE...   what the chip answers, in the vendor's units; what is not set is
//                                  answered by -8255. Keys: see identity.cc and measurements.cc;
//                                  a later line for the same key wins
//   rule FUNCTION[:TYPE] TARGET ACTION...
//
// A rule changes the answers of one function ("*": of all), of one input type of it, for one
// TARGET:
// "*", a physical id, or CARD/DEVICE_ID (CARD/* for calls that name only a card). Later rules win.
//
//   code N              return N and write nothing; 0 takes an earlier code back
//   value [FIELD] N     answer N in every number of the answer, or in one field or output parameter
//   text FIELD TEXT     answer TEXT in a character field; not terminated where it fills the field
//   slow MS             return only after that time
//   hang                return only when no such rule is in the file any more
//   crash               die of SIGSEGV
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace fake_dcmi {

struct Chip {
  int physical_id = 0;
  int card = 0;
  int device_id = 0;
  int logic_id = 0;
  std::map<std::string, std::vector<std::string>> values;  // by key, as written

  // The words of a key, or nothing.
  const std::vector<std::string>* Find(const std::string& key) const;
  // The first word of a key as a number, or nothing.
  std::optional<std::int64_t> Number(const std::string& key) const;
};

struct Rule {
  std::string function;
  std::optional<int> type;
  std::string target;
  std::string action;
  std::string field;  // of value and text; empty: every field
  std::int64_t number = 0;
  std::string text;
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
  std::string problem;  // the first line that could not be read, or why the file could not

  const Chip* At(int card, int device_id) const;
  const Chip* WithLogicId(unsigned int logic_id) const;
  const Chip* FirstOf(int card) const;
  int ChipsOf(int card) const;
  bool HasCard(int card) const;
};

Machine ReadMachine(const std::string& path);

// A number as the data file writes it; nothing where it is none.
std::optional<std::int64_t> ParseNumber(const std::string& word);

}  // namespace fake_dcmi

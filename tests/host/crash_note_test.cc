#include "exporter/border/crash_note.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <random>
#include <string>
#include <string_view>

namespace ascend {
namespace {

void Write(CrashNote& note, int signal, int channel, std::string_view frame) {
  note.signal = signal;
  note.channel = channel;
  note.frame = {};
  std::copy_n(frame.begin(), std::min(frame.size(), note.frame.size()), note.frame.begin());
  note.state = CrashNoteState::kComplete;
}

TEST(CrashNoteTest, MemoryOfZerosIsNoNote) {
  const CrashNote note{};
  EXPECT_FALSE(ReadCrashNote(note).has_value());
}

TEST(CrashNoteTest, ACompleteNoteIsReadAsItWasWritten) {
  CrashNote note{};
  Write(note, SIGSEGV, 3, "libdcmi.so+0x10 (dcmi_init)");
  const auto report = ReadCrashNote(note);
  ASSERT_TRUE(report.has_value());
  EXPECT_TRUE(report->complete);
  EXPECT_EQ(report->channel, 3);
  EXPECT_EQ(DescribeCrash(*report), "SIGSEGV in libdcmi.so+0x10 (dcmi_init)");
}

TEST(CrashNoteTest, ANoteThatWasBegunSaysSo) {
  CrashNote note{};
  Write(note, SIGBUS, kNoChannel, "");
  note.state = CrashNoteState::kBeingWritten;
  const auto report = ReadCrashNote(note);
  ASSERT_TRUE(report.has_value());
  EXPECT_FALSE(report->complete);
  EXPECT_EQ(report->channel, std::nullopt);
  EXPECT_EQ(DescribeCrash(*report), "SIGBUS in an unknown place");
}

TEST(CrashNoteTest, AFrameWithoutAnEndIsCutAndMadePrintable) {
  CrashNote note{};
  Write(note, SIGABRT, 0, std::string(kCrashFrameBytes, '\n'));
  EXPECT_EQ(ReadCrashNote(note)->frame, std::string(kCrashFrameBytes, '?'));
  Write(note, SIGABRT, 0, "a\"\x7f\xff\x01z");
  EXPECT_EQ(ReadCrashNote(note)->frame, "a\"???z");
}

TEST(CrashNoteTest, ASignalThatDoesNotExistIsNoNote) {
  CrashNote note{};
  for (const int signal : {-1, NSIG, 1 << 30}) {
    Write(note, signal, 0, "x");
    EXPECT_FALSE(ReadCrashNote(note).has_value()) << signal;
  }
}

TEST(CrashNoteTest, RandomBytesGiveAPrintableReportOrNone) {
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    std::array<unsigned char, sizeof(CrashNote)> bytes;
    std::generate(bytes.begin(), bytes.end(),
                  [&] { return static_cast<unsigned char>(random() % 256); });
    bytes[0] = static_cast<unsigned char>(round % 4);  // else hardly any has a state
    std::fill(bytes.begin() + 1, bytes.begin() + 4, 0);
    if (round % 2 == 0) std::fill(bytes.begin() + 5, bytes.begin() + 8, 0);
    CrashNote note{};
    std::memcpy(static_cast<void*>(&note), bytes.data(), bytes.size());
    const auto report = ReadCrashNote(note);
    if (!report) continue;
    EXPECT_LE(report->frame.size(), kCrashFrameBytes);
    EXPECT_TRUE(std::all_of(report->frame.begin(), report->frame.end(),
                            [](char c) { return c >= ' ' && c <= '~'; }));
    EXPECT_GE(report->channel.value_or(0), 0);
    EXPECT_GE(report->signal, 0);
  }
}

}  // namespace
}  // namespace ascend

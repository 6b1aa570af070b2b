// Runs the files of a target's corpus through it: what a fuzzer once found stays found.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/fuzz/target.h"

namespace {

void Feed(const std::string& text) {
  EXPECT_EQ(LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()),
            0);
}

TEST(FuzzCorpusTest, EveryFileGoesThroughTheTarget) {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(ASCEND_CORPUS)) {
    SCOPED_TRACE(entry.path());
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    Feed(text);
    for (std::size_t length = 0; length < text.size(); length += 7) Feed(text.substr(0, length));
    ++files;
  }
  EXPECT_GE(files, 1U);
}

}  // namespace

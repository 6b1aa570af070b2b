#include "exporter/log.h"

#include <spdlog/pattern_formatter.h>
#include <spdlog/spdlog.h>

#include <climits>
#include <iterator>
#include <memory>
#include <string_view>

#include "exporter/log_sink.h"
#include "exporter/page/text.h"

namespace ascend {
namespace {

// So that a whole line has at most PIPE_BUF bytes, with what stands around the message.
constexpr std::size_t kMaxMessageBytes = PIPE_BUF - 128;
constexpr std::string_view kCut = "...";

// The message as the inside of a JSON string, which logfmt reads too: no line of a log can be
// forged by what a driver or a file says. Too long a message is cut.
class QuotedMessage final : public spdlog::custom_flag_formatter {
 public:
  void format(const spdlog::details::log_msg& message, const std::tm& /*time*/,
              spdlog::memory_buf_t& out) override {
    std::string_view rest(message.payload.data(), message.payload.size());
    const std::size_t end = out.size() + kMaxMessageBytes;
    while (!rest.empty()) {
      const std::size_t before = out.size();
      Append(TakeCharacter(rest), out);
      if (out.size() + kCut.size() <= end) continue;
      out.resize(before);
      out.append(kCut);
      return;
    }
  }
  [[nodiscard]] std::unique_ptr<spdlog::custom_flag_formatter> clone() const override {
    return std::make_unique<QuotedMessage>();
  }

 private:
  static void Append(std::string_view character, spdlog::memory_buf_t& out) {
    const char first = character.front();
    const auto byte = static_cast<unsigned char>(first);
    if (byte < 0x20) {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", byte);
      return;
    }
    if (first == '"' || first == '\\') out.push_back('\\');
    out.append(character);
  }
};

}  // namespace

void StartLogging(const std::string& level, const std::string& format) {
  auto formatter = std::make_unique<spdlog::pattern_formatter>(spdlog::pattern_time_type::utc);
  formatter->add_flag<QuotedMessage>('*');
  formatter->set_pattern(format == "json"
                             ? R"({"ts":"%Y-%m-%dT%H:%M:%S.%eZ","level":"%l","msg":"%*"})"
                             : R"(ts=%Y-%m-%dT%H:%M:%S.%eZ level=%l msg="%*")");
  auto logger = std::make_shared<spdlog::logger>("main", std::make_shared<StderrSink>());
  logger->set_formatter(std::move(formatter));
  logger->set_level(spdlog::level::from_str(level));
  spdlog::set_default_logger(std::move(logger));
}

}  // namespace ascend

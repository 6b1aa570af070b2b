#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cstddef>
#include <fstream>
#include <stdexcept>
#include <utility>

#include "tests/supervisor/stage.h"

namespace ascend::supervisor {
namespace {

std::vector<std::string> ArgumentsOf(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/cmdline");
  std::vector<std::string> words;
  for (std::string word; std::getline(file, word, '\0');) words.push_back(word);
  if (!words.empty()) words.erase(words.begin());
  return words;
}

void ReadAll(int fd, char* to, std::size_t bytes) {
  while (bytes > 0) {
    if (!Readable(fd)) GiveUp("no event in time");
    const ssize_t got = read(fd, to, bytes);
    if (got <= 0) GiveUp("the events end");
    to += got;
    bytes -= static_cast<std::size_t>(got);
  }
}

}  // namespace

Fd::Fd(Fd&& other) noexcept : number_(std::exchange(other.number_, -1)) {}

Fd& Fd::operator=(Fd&& other) noexcept {
  std::swap(number_, other.number_);
  return *this;
}

Fd::~Fd() {
  if (number_ >= 0) close(number_);
}

Actor::Actor(Fd socket, pid_t pid, std::map<int, Fd> fds)
    : socket_(std::move(socket)), pid_(pid), fds_(std::move(fds)), arguments_(ArgumentsOf(pid)) {}

bool Actor::Is(std::string_view prefix) const {
  return !arguments_.empty() && arguments_.front().starts_with(prefix);
}

std::vector<int> Actor::fd_numbers() const {
  std::vector<int> numbers;
  for (const auto& [number, fd] : fds_) numbers.push_back(number);
  return numbers;
}

int Actor::fd(int number) const { return fds_.at(number).number(); }

std::string Actor::Status(std::string_view name) const {
  std::ifstream file("/proc/" + std::to_string(pid_) + "/status");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(name)) return line.substr(line.find_first_not_of(": \t", name.size()));
  }
  GiveUp("no such line in the status of a process");
}

void Actor::Do(Order order, int number) {
  const OrderMessage message = {.order = order, .number = number};
  char answer = 0;
  if (send(socket_.number(), &message, sizeof message, MSG_NOSIGNAL) < 0 ||
      !Readable(socket_.number()) || recv(socket_.number(), &answer, 1, 0) != 1) {
    GiveUp("an actor does not obey");
  }
}

void Actor::Exit(int status) {
  const OrderMessage message = {.order = Order::kExit, .number = status};
  if (send(socket_.number(), &message, sizeof message, MSG_NOSIGNAL) < 0 || !Ends()) {
    GiveUp("an actor does not exit");
  }
}

bool Actor::Ends() const {
  char answer = 0;
  return Readable(socket_.number()) && recv(socket_.number(), &answer, 1, 0) <= 0;
}

void Actor::Give(Command command) {
  GiveBytes({reinterpret_cast<const char*>(&command), sizeof command});
}

void Actor::GiveBytes(std::string_view bytes) {
  if (write(fd(kCommandFd), bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) {
    GiveUp("cannot give a command");
  }
}

ToldEvent Actor::NextEvent() {
  ToldEvent told;
  ReadAll(fd(kEventFd), reinterpret_cast<char*>(&told.event), sizeof told.event);
  told.payload.resize(told.event.payload_bytes);
  ReadAll(fd(kEventFd), told.payload.data(), told.payload.size());
  return told;
}

Event Actor::Next(EventKind kind) {
  const Event event = NextEvent().event;
  EXPECT_EQ(static_cast<int>(event.kind), static_cast<int>(kind));
  return event;
}

std::int64_t TestNowMs() {
  timespec now = {};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1'000'000;
}

bool PausedWithin(std::int64_t deadline_ms) {
  poll(nullptr, 0, 2);
  return TestNowMs() < deadline_ms;
}

std::string Content(int fd) {
  struct stat facts = {};
  fstat(fd, &facts);
  std::string content(static_cast<std::size_t>(facts.st_size), '?');
  if (pread(fd, content.data(), content.size(), 0) != facts.st_size) GiveUp("cannot read a memory");
  return content;
}

std::size_t Count(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string_view::npos; ++at) ++count;
  return count;
}

void GiveUp(const std::string& what) { throw std::runtime_error(what); }

bool Readable(int fd) {
  pollfd wanted = {.fd = fd, .events = POLLIN, .revents = 0};
  return poll(&wanted, 1, static_cast<int>(kPatienceMs)) == 1;
}

}  // namespace ascend::supervisor

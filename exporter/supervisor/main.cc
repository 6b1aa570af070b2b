// Keeps the front and the driver hosts apart and alive, see protocol.h. Opens no socket, and loads
// nothing but libc, so that there is one process that neither a request nor a driver can hurt.

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

#include "exporter/supervisor/descriptors.h"
#include "exporter/supervisor/log.h"
#include "exporter/supervisor/options.h"
#include "exporter/supervisor/protocol.h"
#include "exporter/supervisor/settings.h"
#include "exporter/supervisor/supervisor.h"

namespace ascend::supervisor {
namespace {

// A library that crashes again and again must not fill the disk. Whoever wants a core can raise
// the limit again, in the process.
void LimitCores() {
  rlimit limit = {};
  if (getrlimit(RLIMIT_CORE, &limit) != 0) return;
  limit.rlim_cur = 0;
  setrlimit(RLIMIT_CORE, &limit);
}

// All signals that matter come through this descriptor: there are no handlers, and nothing is
// interrupted. -1 with errno.
int OpenSignals() {
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
  signal(SIGCHLD, SIG_DFL);  // if it was ignored, no exit status could be had
  sigset_t wanted;
  sigemptyset(&wanted);
  for (const int number : {SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGUSR2, SIGCHLD}) {
    sigaddset(&wanted, number);
  }
  if (sigprocmask(SIG_SETMASK, &wanted, nullptr) != 0) return -1;
  return signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK);
}

int Main(char** argv) {
  Log log;
  Options options;
  if (!ReserveStandardStreams()) {
    log.Error("cannot open /dev/null: %s", strerror(errno));
    return EXIT_FAILURE;
  }
  CloseFrom(kSettingsFd + 1);
  const int signals = OpenSignals();
  if (signals < 0 || prctl(PR_SET_CHILD_SUBREAPER, 1) != 0) {
    log.Error("cannot start: %s", strerror(errno));
    return EXIT_FAILURE;
  }
  if (const char* wrong = Parse(argv, options)) {
    log.Error("%s: this program is started by ascend-exporter", wrong);
    return EXIT_FAILURE;
  }
  Settings settings;
  if (!settings.Read(kSettingsFd)) {
    log.Error("cannot read the settings: %s; this program is started by ascend-exporter",
              strerror(errno));
    return EXIT_FAILURE;
  }
  close(kSettingsFd);
  LimitCores();
  Supervisor supervisor(options, settings, log);
  return supervisor.Run(signals);
}

}  // namespace
}  // namespace ascend::supervisor

int main(int /*argc*/, char** argv) { return ascend::supervisor::Main(argv); }

#include "tests/server/crash/run.h"

#include <csignal>
#include <cstdlib>
#include <string_view>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/base/environment.h"
#include "runtime/base/fd.h"
#include "runtime/base/spawn.h"
#include "runtime/json/writer.h"
#include "tests/server/read_line.h"

namespace snapgen::tools {
namespace {

class Child {
 public:
  Child(std::vector<std::string> command, const Interference& interference) {
    Pipe to = make_pipe();
    Pipe from = make_pipe();
    counter_ = Fd(::memfd_create("count", 0));
    if (!counter_ || ::ftruncate(counter_.get(), sizeof(long)) != 0 || !to || !from) std::abort();
    std::string count = "/proc/self/fd/" + std::to_string(counter_.get());
    std::vector<std::string> environment{
        "PATH=" + environment_variable("PATH").value_or(""),
        "HOME=/nonexistent",
        "LD_PRELOAD=" + environment_variable("SNAPGEN_INTERFERE").value_or(""),
        "SNAPGEN_COUNT=" + count,
        "SNAPGEN_AT=" + std::to_string(interference.at),
        "SNAPGEN_ERROR=" + std::to_string(interference.error)};
    if (interference.until != 0) environment.push_back("SNAPGEN_UNTIL=" + std::to_string(interference.until));
    process_ = ::fork();
    if (process_ == 0) {
      ::dup2(to.read_end.get(), 0);
      ::dup2(from.write_end.get(), 1);
      int nowhere = ::open("/dev/null", O_WRONLY);
      ::dup2(nowhere, 2);
      ::execve(command.front().c_str(), null_terminated_pointers(command).data(),
               null_terminated_pointers(environment).data());
      ::_exit(127);
    }
    to_ = std::move(to.write_end);
    from_ = std::move(from.read_end);
  }

  void say(std::string line) {
    line += '\n';
    // The child may have been killed and no longer read.
    if (::write(to_.get(), line.data(), line.size()) < 0) return;
  }

  // Returns the next line; empty at the end of the output.
  std::string hear() { return read_line(from_.get(), pending_); }

  Outcome finish(std::vector<std::string> answers) {
    to_.reset();
    while (!hear().empty()) {
    }
    int status = 0;
    ::waitpid(process_, &status, 0);
    Outcome run{.writes = 0,
                .killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL,
                .answers = std::move(answers)};
    if (::pread(counter_.get(), &run.writes, sizeof run.writes, 0) != sizeof run.writes) std::abort();
    return run;
  }

 private:
  pid_t process_ = -1;
  Fd to_;
  Fd from_;
  Fd counter_;
  std::string pending_;
};

}  // namespace

Outcome run_server(const std::string& workspace, const std::vector<ToolCall>& calls,
                   const Interference& interference) {
  ::signal(SIGPIPE, SIG_IGN);
  Child child({environment_variable("SNAPGEN_SERVER").value_or(""), "--stdio", "--workspace", workspace},
              interference);
  child.say(
      R"({"id":0,"jsonrpc":"2.0","method":"initialize","params":{"capabilities":{},"clientInfo":{"name":"test","version":"1"},"protocolVersion":"2025-11-25"}})");
  std::vector<std::string> answers;
  if (child.hear().empty()) return child.finish(std::move(answers));
  child.say(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  for (const ToolCall& call : calls) {
    child.say(R"({"id":1,"jsonrpc":"2.0","method":"tools/call","params":{"arguments":)" + call.arguments +
              ",\"name\":" + json::quoted(call.tool) + "}}");
    std::string answer = child.hear();
    if (answer.empty()) break;
    answers.push_back(std::move(answer));
  }
  return child.finish(std::move(answers));
}

Outcome run_restore(const std::string& workspace, const std::string& snapshot,
                    const Interference& interference) {
  ::signal(SIGPIPE, SIG_IGN);
  Child child({environment_variable("SNAPGEN_RESTORE").value_or(""), workspace, snapshot}, interference);
  std::vector<std::string> answers{child.hear()};
  return child.finish(std::move(answers));
}

}  // namespace snapgen::tools

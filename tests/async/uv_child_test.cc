#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <set>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/async/child.h"
#include "runtime/async/loop.h"
#include "runtime/base/result.h"
#include "runtime/uv/uv_port.h"

namespace snapgen {
namespace {

std::string path_variable() { return std::string("PATH=") + std::getenv("PATH"); }

ChildCommand shell(std::string script) {
  return {.argv = {"sh", "-c", std::move(script)},
          .environment = {path_variable()},
          .folder = {},
          .input = {},
          .deadline = Millis(60'000)};
}

Task<ChildResult> run_to_end(Loop& loop, std::stop_token stop, const ChildCommand& command) {
  Result<ChildResult> finished = co_await RunChild(loop, stop, command);
  co_return finished;
}

// Returns the descriptors that this process has open.
std::set<std::string> open_files() {
  std::set<std::string> found;
  for (const auto& each : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code gone;
    const auto target = std::filesystem::read_symlink(each.path(), gone);
    if (!gone && !target.native().ends_with("/fd"))
      found.insert(each.path().filename().native() + " " + target.native());
  }
  return found;
}

bool is_alive(int pid) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/stat");
  std::string text{std::istreambuf_iterator<char>(status), {}};
  const std::size_t name_end = text.rfind(')');
  return name_end != std::string::npos && text[name_end + 2] != 'Z';
}

// A killed process may exist for a moment longer.
bool ends(int pid) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (is_alive(pid) && std::chrono::steady_clock::now() < until) std::this_thread::yield();
  return !is_alive(pid);
}

// Whether children start from a separate thread or from the loop's thread.
enum class From { loop, outside };

class UvChildTest : public testing::TestWithParam<From> {
 protected:
  // No test may leave an open descriptor or a child behind, not even a zombie.
  void SetUp() override {
    port = std::move(*UvPort::create());
    if (GetParam() == From::outside) {
      ASSERT_TRUE(port->launch_from_helper_thread());
    }
    loop = std::make_unique<Loop>(*port);
    // libuv does not close its descriptors for signals while the loop exists.
    static_cast<void>(run(shell("true")));
    before = open_files();
  }
  void TearDown() override {
    EXPECT_EQ(open_files(), before);
    EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
    EXPECT_EQ(errno, ECHILD);
    loop.reset();
    port.reset();
  }
  Result<ChildResult> run(const ChildCommand& command, std::stop_token stop = {}) {
    return loop->run(run_to_end(*loop, std::move(stop), command));
  }

  std::unique_ptr<UvPort> port;
  std::unique_ptr<Loop> loop;
  std::set<std::string> before;
};

TEST_P(UvChildTest, StdinIsPassedAndStdoutAndStderrAreSeparate) {
  ChildCommand command = shell("cat; echo to the log >&2; exit 3");
  command.input = std::string("a\0b\n", 4);
  Result<ChildResult> finished = run(command);
  ASSERT_TRUE(finished);
  EXPECT_EQ(finished->ending, ChildEnding::exited);
  EXPECT_EQ(finished->exit_code, 3);
  EXPECT_EQ(finished->output, command.input);
  EXPECT_EQ(finished->error_output, "to the log\n");
  EXPECT_TRUE(finished->has_all_output());
}

TEST_P(UvChildTest, AChildGetsTheOriginalDescriptorLimit) {
  ::rlimit usual{};
  ::getrlimit(RLIMIT_NOFILE, &usual);
  ::rlimit few = usual;
  few.rlim_cur = 200;
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
  EXPECT_EQ(port->raise_file_limit(100), 200U);
  EXPECT_EQ(port->raise_file_limit(300), 300U);
  EXPECT_EQ(port->raise_file_limit(400), 400U);
  // The input arrives after the limit was set.
  ChildCommand command = shell("read line; ulimit -Sn; ulimit -Hn");
  command.input = "go on\n";
  Result<ChildResult> finished = run(command);
  ::setrlimit(RLIMIT_NOFILE, &usual);
  ASSERT_TRUE(finished);
  EXPECT_EQ(
      finished->output,
      "200\n" + (usual.rlim_max == RLIM_INFINITY ? "unlimited" : std::to_string(usual.rlim_max)) + "\n");
}

TEST_P(UvChildTest, LargeInputAndOutputArriveCompletely) {
  ChildCommand command = shell("cat");
  command.input.assign(3 << 20, 'x');
  command.output_bytes_max = 4 << 20;
  Result<ChildResult> finished = run(command);
  ASSERT_TRUE(finished);
  EXPECT_TRUE(finished->output == command.input);
}

TEST_P(UvChildTest, UnreadInputIsNotAnError) {
  ChildCommand command = shell("exec true");
  command.input.assign(3 << 20, 'x');
  Result<ChildResult> finished = run(command);
  ASSERT_TRUE(finished);
  EXPECT_EQ(finished->ending, ChildEnding::exited);
  EXPECT_EQ(finished->exit_code, 0);
}

TEST_P(UvChildTest, DevStdinCanBeOpenedByName) {
  ChildCommand command = shell("cat /dev/stdin");
  command.input = "as a pipe\n";
  Result<ChildResult> finished = run(command);
  ASSERT_TRUE(finished);
  EXPECT_EQ(finished->output, "as a pipe\n");
}

TEST_P(UvChildTest, TheEnvironmentHasOnlyTheGivenVariables) {
  ::setenv("SNAPGEN_TEST_SHOWN", "yes", 1);
  ::setenv("SNAPGEN_TEST_SECRET", "no", 1);
  const std::vector<std::string> names = {"SNAPGEN_TEST_SHOWN", "SNAPGEN_TEST_UNSET"};
  ChildCommand command{
      .argv = {"/usr/bin/env"}, .environment = inherited_variables(names), .folder = {}, .input = {}};
  Result<ChildResult> finished = run(command);
  ASSERT_TRUE(finished);
  EXPECT_EQ(finished->output, "SNAPGEN_TEST_SHOWN=yes\n");
}

TEST_P(UvChildTest, RunsInTheGivenFolder) {
  ChildCommand command = shell("pwd -P");
  command.folder = "/";
  Result<ChildResult> finished = run(command);
  ASSERT_TRUE(finished);
  EXPECT_EQ(finished->output, "/\n");
}

TEST_P(UvChildTest, InheritsNoDescriptorsAndNoIgnoredSignals) {
  const int inheritable = ::dup(1);
  ChildCommand command{.argv = {"sh", "-c", "ls /proc/self/fd | grep -v 3; grep SigIgn /proc/self/status"},
                       .environment = {path_variable()},
                       .folder = {},
                       .input = {}};
  Result<ChildResult> finished = run(command);
  ::close(inheritable);
  ASSERT_TRUE(finished);
  // ls opens the folder as descriptor 3.
  EXPECT_EQ(finished->output, "0\n1\n2\nSigIgn:\t0000000000000000\n");
}

TEST_P(UvChildTest, OutputOverTheLimitIsCountedAndDiscarded) {
  ChildCommand command = shell("head -c 100000 /dev/zero | tr '\\0' x; head -c 70000 /dev/zero >&2");
  command.output_bytes_max = 1000;
  command.error_output_bytes_max = 0;
  Result<ChildResult> finished = run(command);
  ASSERT_TRUE(finished);
  EXPECT_EQ(finished->ending, ChildEnding::exited);
  EXPECT_EQ(finished->output, std::string(1000, 'x'));
  EXPECT_EQ(finished->total_output_bytes, 100'000U);
  EXPECT_EQ(finished->error_output, "");
  EXPECT_EQ(finished->total_error_output_bytes, 70'000U);
  EXPECT_FALSE(finished->has_all_output());
}

TEST_P(UvChildTest, OutputOverTheLimitKillsTheChildIfRequested) {
  ChildCommand command = shell("exec yes");
  command.output_bytes_max = 1000;
  command.ends_at_output_limit = true;
  Result<ChildResult> finished = run(command);
  ASSERT_TRUE(finished);
  EXPECT_EQ(finished->ending, ChildEnding::output_limit);
  EXPECT_EQ(finished->output.size(), 1000U);
}

TEST_P(UvChildTest, ADeadlineKillsTheChild) {
  ChildCommand command = shell("exec sleep 600");
  command.deadline = Millis(5);
  Result<ChildResult> finished = run(command);
  ASSERT_TRUE(finished);
  EXPECT_EQ(finished->ending, ChildEnding::timed_out);
  EXPECT_EQ(finished->signal, SIGTERM);
}

TEST_P(UvChildTest, AChildThatIgnoresSigtermIsKilled) {
  // The child exceeds the output limit only after it has set the trap, so that the signal cannot arrive
  // before.
  ChildCommand command = shell("trap '' TERM; echo set; while :; do sleep 600; done");
  command.output_bytes_max = 0;
  command.ends_at_output_limit = true;
  command.grace = Millis(20);
  Result<ChildResult> finished = run(command);
  ASSERT_TRUE(finished);
  EXPECT_EQ(finished->ending, ChildEnding::output_limit);
  EXPECT_EQ(finished->signal, SIGKILL);
}

TEST_P(UvChildTest, AChildCanHandleSigtermAndExitNormally) {
  ChildCommand command =
      shell("trap 'echo ended in order; exit 7' TERM; echo ready; while :; do sleep 600 & wait; done");
  command.output_bytes_max = 0;
  command.ends_at_output_limit = true;
  command.grace = Millis(60'000);
  Result<ChildResult> finished = run(command);
  ASSERT_TRUE(finished);
  EXPECT_EQ(finished->ending, ChildEnding::output_limit);
  EXPECT_EQ(finished->signal, 0);
  EXPECT_EQ(finished->exit_code, 7);
}

// Runs until the program has written a line, then stops it.
Task<Unit> stop_at_first_line(Loop& loop, const ChildCommand& command, const std::string& path,
                              Result<ChildResult>& finished) {
  TaskScope scope(loop);
  std::stop_source stop;
  auto body = [](Loop& home, std::stop_token token, const ChildCommand& what,
                 Result<ChildResult>& out) -> Task<Unit> {
    Result<ChildResult> came = co_await RunChild(home, token, what);
    out = std::move(came);
    co_return Unit{};
  };
  scope.spawn(body(loop, stop.get_token(), command, finished));
  while (!std::filesystem::exists(path)) {
    Result<Unit> slept = co_await Sleep(loop, std::stop_token(), Millis(1));
    static_cast<void>(slept);
  }
  stop.request_stop();
  co_await scope.join();
  co_return Unit{};
}

int number_in(const std::string& path) {
  std::ifstream file(path);
  int number = 0;
  file >> number;
  return number;
}

class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "snapgen-child-XXXXXX").native();
    path_ = ::mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string operator/(const char* name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

TEST_P(UvChildTest, AStopKillsGrandchildrenThatIgnoreSigterm) {
  const Folder folder;
  ChildCommand command =
      shell("trap '' TERM; (while :; do sleep 600; done) & echo $! > part; mv part pid; wait; sleep 600");
  command.folder = folder / "";
  command.grace = Millis(20);
  Result<ChildResult> finished = Error(ErrorCode::internal, "it never ended");
  ASSERT_TRUE(loop->run(stop_at_first_line(*loop, command, folder / "pid", finished)));
  ASSERT_FALSE(finished);
  EXPECT_EQ(finished.error().code, ErrorCode::cancelled);
  EXPECT_TRUE(ends(number_in(folder / "pid")));
}

TEST_P(UvChildTest, BackgroundChildrenAreKilledWhenTheChildExits) {
  const Folder folder;
  ChildCommand command = shell("sleep 600 & echo $! > pid");
  command.folder = folder / "";
  Result<ChildResult> finished = run(command);
  ASSERT_TRUE(finished);
  EXPECT_EQ(finished->ending, ChildEnding::exited);
  EXPECT_EQ(finished->exit_code, 0);
  EXPECT_TRUE(ends(number_in(folder / "pid")));
}

TEST_P(UvChildTest, AProcessOutsideTheGroupThatKeepsTheOutputOpenIsNotAwaited) {
  const Folder folder;
  // setsid forks if it leads a process group; the pid is that of the sleeping process.
  ChildCommand command =
      shell("setsid sh -c 'echo $$ > part; mv part pid; exec sleep 600' & while [ ! -e pid ]; do :; done");
  command.folder = folder / "";
  command.grace = Millis(20);
  Result<ChildResult> finished = run(command);
  ASSERT_TRUE(finished);
  EXPECT_EQ(finished->exit_code, 0);
  const int sleeper = number_in(folder / "pid");
  EXPECT_TRUE(is_alive(sleeper));
  ::kill(sleeper, SIGKILL);
}

TEST_P(UvChildTest, AStopBeforeTheStartStartsNothing) {
  const Folder folder;
  ChildCommand command = shell("echo > started");
  command.folder = folder / "";
  std::stop_source stop;
  stop.request_stop();
  Result<ChildResult> finished = run(command, stop.get_token());
  ASSERT_FALSE(finished);
  EXPECT_EQ(finished.error().code, ErrorCode::cancelled);
  EXPECT_FALSE(std::filesystem::exists(folder / "started"));
}

TEST_P(UvChildTest, ASignalFromAnotherProcessIsReported) {
  Result<ChildResult> finished = run(shell("kill -SEGV $$"));
  ASSERT_TRUE(finished);
  EXPECT_EQ(finished->ending, ChildEnding::signaled);
  EXPECT_EQ(finished->signal, SIGSEGV);
}

TEST_P(UvChildTest, AProgramThatCannotStartGivesAOneSentenceError) {
  const Folder folder;
  std::ofstream(folder / "text") << "no program";
  const auto sentence = [&](std::string program, std::string where) {
    const ChildCommand command{.argv = {std::move(program)},
                               .environment = {path_variable()},
                               .folder = std::move(where),
                               .input = "x"};
    Result<ChildResult> finished = run(command);
    return finished ? std::string("it ran") : finished.error().message;
  };
  EXPECT_EQ(sentence("snapgen-no-such-program", ""),
            "The program snapgen-no-such-program was not found on PATH.");
  EXPECT_EQ(sentence("/no/such/program", ""), "The program /no/such/program does not exist.");
  EXPECT_EQ(sentence(folder / "text", ""),
            "The program " + (folder / "text") + " cannot be run: permission denied.");
  EXPECT_EQ(sentence("true", folder / "nothing"),
            "The folder " + (folder / "nothing") + " does not exist, so true cannot run in it.");
}

TEST_P(UvChildTest, ManyChildrenRunConcurrently) {
  auto body = [](Loop& home) -> Task<Unit> {
    ChildCommand command = shell("cat");
    command.input = "hello";
    std::size_t heard = 0;
    auto one = [](Loop& place, const ChildCommand& what, std::size_t& count) -> Task<Unit> {
      Result<ChildResult> finished = co_await RunChild(place, std::stop_token(), what);
      if (finished && finished->output == "hello") ++count;
      co_return Unit{};
    };
    TaskScope scope(home);
    for (int i = 0; i < 20; ++i) scope.spawn(one(home, command, heard));
    co_await scope.join();
    EXPECT_EQ(heard, 20U);
    co_return Unit{};
  };
  EXPECT_TRUE(loop->run(body(*loop)));
}

INSTANTIATE_TEST_SUITE_P(Children, UvChildTest, testing::Values(From::loop, From::outside),
                         [](const auto& from) {
                           return from.param == From::loop ? "of_the_loop" : "of_a_thread_outside";
                         });

}  // namespace
}  // namespace snapgen

// Starts a server and sends requests. A problem is reported in one sentence, and no process remains.
#include "tools/cli/hosts/start_probe.h"

#include <gtest/gtest.h>

#include "tests/engine/folder.h"

namespace snapgen::tools {
namespace {

class StartProbe : public testing::Test {
 protected:
  Result<StartedServer> ask(const std::string& script, std::int64_t deadline_ms = 60'000) {
    return probe_server({.command = {"sh", "-c", script},
                         .environment = {"WHO=probe"},
                         .folder = folder_.path(),
                         .deadline_ms = deadline_ms});
  }
  std::string fault(const std::string& script, std::int64_t deadline_ms = 60'000) {
    Result<StartedServer> server = ask(script, deadline_ms);
    return server ? "it answered" : server.error().message;
  }
  core::Folder folder_;
};

TEST_F(StartProbe, ReportsTheServerThatResponded) {
  Result<StartedServer> server =
      ask("read line; case $line in *initialize*) echo "
          "\"{\\\"id\\\":1,\\\"jsonrpc\\\":\\\"2.0\\\",\\\"result\\\":"
          "{\\\"serverInfo\\\":{\\\"name\\\":\\\"$WHO\\\",\\\"version\\\":\\\"7\\\"}}}\";; esac; cat > in; "
          "pwd > where");
  ASSERT_TRUE(server) << server.error().message;
  EXPECT_EQ(server->name, "probe");
  EXPECT_EQ(server->version, "7");
  EXPECT_EQ(folder_.read("where"), folder_.path() + "\n") << "the server exited at the end of its input";
}

TEST_F(StartProbe, ReportsTheProblem) {
  EXPECT_EQ(fault("echo first >&2; echo 'the reason' >&2; exit 3"),
            "The server ended without an answer: the reason");
  EXPECT_EQ(fault("printf '%05000d' 0 >&2; exit 3"),
            "The server ended without an answer: " + std::string(5000, '0'));
  EXPECT_EQ(fault("exit 0"), "The server ended without an answer.");
  EXPECT_EQ(fault("echo hello; cat"), "The server did not answer with MCP: \"hello\".");
  EXPECT_EQ(fault("echo '{\"error\":{}}'; cat"),
            "The server did not answer with MCP: \"{\\\"error\\\":{}}\".");
  EXPECT_EQ(fault("printf '\\377\\n'; cat"), "The server did not answer with MCP: \"bytes\".");
  EXPECT_EQ(fault("yes | tr -d '\\n'"), "The server's answer has more than 16 MiB.");
  EXPECT_EQ(fault("cat > /dev/null", 1000), "The server did not answer within 1 s.");
  Result<StartedServer> none = probe_server({.command = {folder_ / "none"}, .folder = folder_.path()});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message,
            "The program " + (folder_ / "none") + " cannot be started: No such file or directory.");
}

TEST_F(StartProbe, LeavesNoProcessBehind) {
  EXPECT_EQ(fault("sleep 1000 & echo $! > pid; trap '' TERM; wait", 1000),
            "The server did not answer within 1 s.");
  const pid_t pid = std::stoi(folder_.read("pid"));
  // The process was killed, but may not have been reaped yet.
  const std::string stat = "/proc/" + std::to_string(pid) + "/stat";
  for (;;) {
    std::ifstream in(stat);
    std::string text;
    if (!std::getline(in, text) || text.substr(text.rfind(')') + 2, 1) == "Z") break;
  }
}

}  // namespace
}  // namespace snapgen::tools

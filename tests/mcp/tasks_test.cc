// Tasks: time, limits, and connections that end, which transcripts cannot show.
#include "runtime/mcp/tasks.h"

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/json/document.h"
#include "tests/mcp/world.h"

namespace snapgen::mcp {
namespace {

const std::string tasks_meta =
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}})";

std::string message(int id, const std::string& method, const std::string& members) {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":")" + method + R"(","params":{)" +
         members + "," + tasks_meta + "}}\n";
}

std::string task_call(int id, const std::string& tool, const std::string& arguments = "{}") {
  return message(id, "tools/call", R"("name":")" + tool + R"(","arguments":)" + arguments);
}

std::string slow(int id, const std::string& seconds) {
  return task_call(id, "slow_compute", R"({"seconds":)" + seconds + R"(,"label":"it"})");
}

std::string about(int id, const std::string& method, const std::string& task, const std::string& more = {}) {
  return message(id, "tasks/" + method, R"("taskId":")" + task + "\"" + more);
}

// Returns a string member of the last response's result; empty if there is none.
std::string said(const Client& client, std::string_view member) {
  const json::Document document = json::parse_document(client.lines().back());
  const json::Node* result = document.root.find("result");
  const json::Node* found = result ? result->find(member) : nullptr;
  return found ? found->text : "";
}

bool last_has(const Client& client, std::string_view text) {
  return client.lines().back().find(text) != std::string::npos;
}

// Sends `text` and lets `time` pass.
void say(World& world, Client& client, const std::string& text, Millis time = Millis(0)) {
  client.peer.send(text);
  world.pass(time);
}

TEST(Tasks, AFastCallDoesNotBecomeATask) {
  World world;
  Client client(world);
  say(world, client, slow(1, "0.4"), Millis(450));
  EXPECT_EQ(said(client, "resultType"), "complete");
  say(world, client, slow(2, "0.6"), Millis(550));
  EXPECT_EQ(said(client, "resultType"), "task");
  EXPECT_EQ(said(client, "status"), "working");
  EXPECT_EQ(said(client, "statusMessage"), "")
      << "earlier progress was reported for the request, not for the task";
}

TEST(Tasks, OutliveTheConnectionThatStartedThem) {
  World world;
  Client other(world);
  std::string task;
  {
    Client client(world);
    say(world, client, slow(1, "10"), Millis(600));
    task = said(client, "taskId");
    client.peer.end_sending();
    world.pass();
    EXPECT_TRUE(client.served());
  }
  say(world, other, about(1, "get", task));
  EXPECT_EQ(said(other, "status"), "working");
  say(world, other, about(2, "get", task), Millis(20'000));
  say(world, other, about(3, "get", task));
  EXPECT_EQ(said(other, "status"), "completed");
  EXPECT_TRUE(last_has(other, R"("text":"Computed it")"));
}

TEST(Tasks, EndWithTheLastConnection) {
  World world;
  std::string task;
  {
    Client client(world);
    say(world, client, slow(1, "3600"), Millis(600));
    task = said(client, "taskId");
    client.peer.end_sending();
    world.pass();
    EXPECT_TRUE(client.served()) << "the session waits only until the handler has returned";
  }
  Client later(world);
  say(world, later, about(1, "get", task));
  EXPECT_TRUE(last_has(later, "-32602"));
}

TEST(Tasks, ExpireAfterTheirTtl) {
  Options options;
  options.limits.task_ttl = Millis(60'000);
  World world(options);
  Client client(world);
  say(world, client, slow(1, "1"), Millis(600));
  const std::string done = said(client, "taskId");
  say(world, client, slow(2, "3600"), Millis(600));
  const std::string working = said(client, "taskId");
  world.pass(Millis(58'000));
  say(world, client, about(3, "get", done));
  EXPECT_EQ(said(client, "status"), "completed");
  say(world, client, about(4, "get", working));
  EXPECT_EQ(said(client, "status"), "working");
  world.pass(Millis(2'000));
  for (const std::string& each : {done, working}) {
    say(world, client, about(5, "get", each));
    EXPECT_TRUE(last_has(client, "-32602")) << client.lines().back();
  }
}

TEST(Tasks, AreLimitedInNumber) {
  Options options;
  options.limits.tasks_max = 1;
  World world(options);
  Client client(world);
  say(world, client, slow(1, "2"), Millis(600));
  const std::string first = said(client, "taskId");
  EXPECT_EQ(first.size(), 32U);
  say(world, client, slow(2, "1"), Millis(1100));
  EXPECT_EQ(said(client, "resultType"), "complete")
      << "the call does not become a task, so the client waits for the result";
  say(world, client, task_call(3, "failing_job"));
  EXPECT_TRUE(last_has(client, "-32603")) << "a call of a tool that requires tasks is rejected";
  world.pass(Millis(1000));
  say(world, client, about(4, "get", first));
  EXPECT_EQ(said(client, "status"), "completed") << "no task is deleted before it expires";
}

TEST(Tasks, AreLimitedInSize) {
  Options options;
  options.limits.task_results_bytes_max = 10;
  World world(options);
  Client client(world);
  say(world, client, task_call(1, "failing_job"), Millis(100));
  EXPECT_EQ(said(client, "resultType"), "task");
  say(world, client, task_call(2, "failing_job"), Millis(100));
  EXPECT_TRUE(last_has(client, "-32603"));
}

TEST(Tasks, TimeOutWithoutAnAnswer) {
  Options options;
  options.limits.answer_timeout = Millis(1000);
  World world(options);
  Client client(world);
  say(world, client, task_call(1, "confirm_delete", R"({"filename":"f"})"), Millis(100));
  const std::string task = said(client, "taskId");
  say(world, client, about(2, "get", task));
  EXPECT_EQ(said(client, "status"), "input_required");
  world.pass(Millis(2000));
  say(world, client, about(3, "get", task));
  EXPECT_EQ(said(client, "status"), "completed");
  EXPECT_TRUE(last_has(client, "did not answer")) << client.lines().back();
  EXPECT_TRUE(last_has(client, R"("isError":true)"));
}

TEST(Tasks, NotifySubscribers) {
  World world;
  Client client(world);
  say(world, client, task_call(1, "confirm_delete", R"({"filename":"f"})"), Millis(10));
  const std::string task = said(client, "taskId");
  Client listener(world);
  say(world, listener,
      message(7, "subscriptions/listen", R"("notifications":{"taskIds":[")" + task + R"("]})"));
  EXPECT_TRUE(last_has(listener, R"("notifications":{"taskIds":[")" + task)) << listener.lines().back();
  world.pass(Millis(100));
  EXPECT_TRUE(last_has(listener, R"("method":"notifications/tasks")"));
  EXPECT_TRUE(last_has(listener, R"("status":"input_required")"));
  EXPECT_TRUE(last_has(listener, R"("io.modelcontextprotocol/subscriptionId":7)"));
  const std::string yes = R"(,"inputResponses":{"elicitation":{"action":"accept","content":{"ok":true}}})";
  say(world, client, about(2, "update", task, yes));
  EXPECT_EQ(said(client, "resultType"), "complete");
  EXPECT_TRUE(last_has(listener, R"("status":"completed")"));
  EXPECT_TRUE(last_has(listener, "Deleted f"));
}

TEST(Tasks, ACallThatIsCancelledBeforeItBecomesATaskEnds) {
  World world;
  Client client(world);
  say(world, client, slow(1, "3600"), Millis(100));
  say(world, client,
      R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})"
      "\n",
      Millis(1000));
  EXPECT_TRUE(client.lines().empty());
  say(world, client, slow(1, "0"));
  EXPECT_EQ(said(client, "resultType"), "complete");
}

TEST(Tasks, AnEndedConnectionWaitsForNoCallThatIsNotATask) {
  World world;
  Client other(world);
  Client client(world);
  say(world, client, slow(1, "3600") + slow(2, "3600") + task_call(3, "test_tool_with_task"), Millis(10));
  client.peer.end_sending();
  world.pass(Millis(1000));
  EXPECT_TRUE(client.served());
}

}  // namespace
}  // namespace snapgen::mcp

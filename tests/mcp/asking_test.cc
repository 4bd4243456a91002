// Handlers that ask the client: limits, time, restarts, and the order of messages, which transcripts cannot
// show.
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/json/document.h"
#include "runtime/mcp/elicitation.h"
#include "runtime/mcp/sampling.h"
#include "tests/mcp/world.h"

namespace snapgen::mcp {
namespace {

const std::string asking_meta =
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}})";

std::string handoff(int id, const std::string& more = {}) {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) +
         R"(,"method":"tools/call","params":{"name":"test_handoff","arguments":{},)" + asking_meta + more +
         "}}\n";
}

std::string answered(int id, const std::string& state) {
  return handoff(id, R"(,"requestState":")" + state +
                         R"(","inputResponses":{"elicitation":{"action":"accept","content":{"ok":true}}})");
}

std::string state_in(const std::string& line) {
  const json::Document document = json::parse_document(line);
  const json::Node* result = document.root.find("result");
  const json::Node* state = result ? result->find("requestState") : nullptr;
  return state ? state->text : "";
}

bool has(const std::string& line, std::string_view text) { return line.find(text) != std::string::npos; }

TEST(Asking, ASuspendedCallTimesOut) {
  Options options;
  options.limits.answer_timeout = Millis(1000);
  World world(options);
  Client client(world);
  client.peer.send(handoff(1));
  world.pass();
  const std::string state = state_in(client.lines().back());
  ASSERT_NE(state, "");
  world.pass(Millis(2000));
  client.peer.send(answered(2, state));
  world.pass();
  ASSERT_EQ(client.lines().size(), 2U);
  EXPECT_TRUE(has(client.lines().back(), "already answered or has expired. Send the request again"))
      << client.lines().back();
}

TEST(Asking, ALegacyCallFailsIfTheClientDoesNotAnswer) {
  Options options;
  options.limits.answer_timeout = Millis(1000);
  World world(options);
  Client client(world);
  client.peer.send(
      R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}}}})"
      "\n"
      R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"test_handoff","arguments":{}}})"
      "\n");
  world.pass(Millis(2000));
  const std::vector<std::string> lines = client.lines();
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_TRUE(has(lines[1], "elicitation/create"));
  EXPECT_TRUE(has(lines[2], "The client did not answer the server's request")) << lines[2];
  EXPECT_TRUE(has(lines[3], "notifications/cancelled")) << lines[3];
}

TEST(Asking, SuspendedCallsAreLimitedAndDoNotBlockOthers) {
  Options options;
  options.limits.suspended_calls_max = 3;
  options.limits.requests_in_flight_max = 2;
  World world(options);
  Client client(world);
  for (int id = 1; id <= 4; ++id) client.peer.send(handoff(id));
  world.pass();
  std::vector<std::string> lines = client.lines();
  ASSERT_EQ(lines.size(), 4U);
  for (int i = 0; i < 3; ++i) EXPECT_NE(state_in(lines[static_cast<std::size_t>(i)]), "");
  EXPECT_TRUE(has(lines[3],
                  "3 calls already wait for answers of their clients, which is the limit. Try again later."))
      << lines[3];
  client.peer.send(answered(5, state_in(lines[0])) + handoff(6));
  world.pass();
  lines = client.lines();
  ASSERT_EQ(lines.size(), 6U);
  EXPECT_TRUE(has(lines[4] + lines[5], "prepared 1 time, confirmed"));
  EXPECT_NE(state_in(lines[4]) + state_in(lines[5]), "");
}

TEST(Asking, TheMaximumOfCallsReceiveTheirAnswers) {
  Options options;
  options.limits.requests_in_flight_max = 3;
  World world(options);
  Client client(world);
  client.peer.send(
      R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}}}})"
      "\n");
  const auto call = [](int id) {
    return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) +
           R"(,"method":"tools/call","params":{"name":"test_handoff","arguments":{}}})" + "\n";
  };
  const auto answer = [](int question) {
    return R"({"jsonrpc":"2.0","id":)" + std::to_string(question) +
           R"(,"result":{"action":"accept","content":{"ok":true}}})" + "\n";
  };
  for (int id = 11; id <= 14; ++id) client.peer.send(call(id));
  world.pass();
  EXPECT_EQ(client.lines().size(), 4U) << "the fourth call waits, and has not asked yet";
  for (int question = 1; question <= 3; ++question) client.peer.send(answer(question));
  world.pass();
  for (const std::string_view id : {"11", "12", "13"})
    EXPECT_TRUE(client.heard("{\"id\":" + std::string(id) + ",\"jsonrpc\":\"2.0\",\"result\"")) << id;
  client.peer.send(answer(4));
  world.pass();
  EXPECT_TRUE(client.heard(R"({"id":14,"jsonrpc":"2.0","result")"));
}

TEST(Asking, AFinishedSuspendedCallFreesItsSlot) {
  Options options;
  options.limits.requests_in_flight_max = 1;
  World world(options);
  Client client(world);
  const auto rounds = [](int id, const std::string& more) {
    return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) +
           R"(,"method":"tools/call","params":{"name":"test_input_required_result_multi_round","arguments":{},)" +
           asking_meta + more + "}}\n";
  };
  client.peer.send(rounds(1, ""));
  world.pass();
  const std::string state = state_in(client.lines().back());
  // The call resumes and asks again. The server then processes the messages that arrived in the meantime.
  client.peer.send(
      rounds(2, R"(,"requestState":")" + state +
                    R"(","inputResponses":{"step1":{"action":"accept","content":{"name":"Al"}}})") +
      R"({"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"echo","arguments":{"text":"third"}}})"
      "\n");
  world.pass();
  EXPECT_TRUE(client.heard("third"));
}

TEST(Asking, AResumedCallCanBeCancelledByItsNewId) {
  World world;
  Client client(world);
  client.peer.send(
      R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"test_input_required_result_multi_round","arguments":{},)" +
      asking_meta + "}}\n");
  world.pass();
  const std::string state = state_in(client.lines().back());
  client.peer.send(
      R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"test_input_required_result_multi_round","arguments":{},)" +
      asking_meta + R"(,"requestState":")" + state +
      R"(","inputResponses":{"step1":{"action":"accept","content":{"name":"Al"}}}}})"
      "\n"
      R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}})"
      "\n");
  world.pass();
  EXPECT_EQ(client.lines().size(), 1U) << client.lines().back();
}

TEST(Asking, RejectsTheStateOfAnotherProcess) {
  std::string state;
  {
    World world;
    Client client(world);
    client.peer.send(handoff(1));
    world.pass();
    state = state_in(client.lines().back());
    ASSERT_NE(state, "");
  }
  World world;
  Client client(world);
  client.peer.send(answered(1, state) + handoff(2));
  world.pass();
  client.peer.send(answered(3, state));
  world.pass();
  ASSERT_EQ(client.lines().size(), 3U);
  for (const std::size_t i : {0U, 2U}) {
    EXPECT_TRUE(has(client.lines()[i], "-32602"));
    EXPECT_TRUE(has(client.lines()[i], "Send the request again without requestState"));
  }
}

TEST(Asking, AServerThatEndsCancelsSuspendedCalls) {
  World world;
  Client client(world);
  client.peer.send(handoff(1) + handoff(2));
  world.pass();
  client.peer.end_sending();
  world.pass();
  EXPECT_TRUE(client.served());
  EXPECT_EQ(client.lines().size(), 2U);
}

SamplingMessage with(Role role, std::vector<SamplingContent> content) {
  SamplingMessage message;
  message.role = role;
  message.content = std::move(content);
  return message;
}

SamplingContent use(std::string id) {
  ToolUseContent content;
  content.id = std::move(id);
  return content;
}

SamplingContent result(std::string id) {
  ToolResultContent content;
  content.tool_use_id = std::move(id);
  return content;
}

TEST(Sampling, ToolResultsDirectlyFollowTheirUsesInASeparateMessage) {
  const SamplingMessage question = user_message("?");
  const SamplingMessage uses = with(Role::assistant, {use("1"), use("2")});
  const SamplingMessage results = with(Role::user, {result("2"), result("1")});
  EXPECT_EQ(history_fault({question}), "");
  EXPECT_EQ(history_fault({question, uses, results}), "");
  SamplingMessage said = user_message("!");
  said.role = Role::assistant;
  EXPECT_EQ(history_fault({question, uses, results, said, question}), "");
  const std::vector<std::vector<SamplingMessage>> faulty = {
      {},
      {question, uses},
      {question, uses, question},
      {question, uses, with(Role::user, {result("1")})},
      {question, uses, with(Role::user, {result("1"), result("2"), result("3")})},
      {question, uses, with(Role::user, {result("1"), result("2"), result("2")})},
      {question, uses, with(Role::user, {result("1"), result("2"), question.content.front()})},
      {question, uses, with(Role::assistant, {result("1"), result("2")})},
      {question, with(Role::user, {use("1")})},
      {results},
  };
  for (std::size_t i = 0; i < faulty.size(); ++i) EXPECT_NE(history_fault(faulty[i]), "") << i;
}

TEST(Elicitation, AnAnswerGivesTwoMessagesWhoseContextCanBeReplaced) {
  Result<ElicitExchange<std::string>> said = form_answer("Which one?", json::Raw{R"({"board":[1,2,3]})"},
                                                         R"({"action":"accept","content":{"n":1}})");
  ASSERT_TRUE(said);
  EXPECT_EQ(said->content, R"({"n":1})");
  ASSERT_EQ(said->messages.size(), 2U);
  EXPECT_EQ(history_fault({user_message("Play."), said->messages[0], said->messages[1]}), "");
  EXPECT_EQ(std::get<ToolUseContent>(said->request.content.front()).input.text,
            R"({"context":{"board":[1,2,3]},"message":"Which one?"})");
  said->replace_context(json::Raw{R"({"board":"3 fields"})"});
  EXPECT_EQ(std::get<ToolUseContent>(said->messages[0].content.front()).input.text,
            R"({"context":{"board":"3 fields"},"message":"Which one?"})");
  EXPECT_FALSE(form_answer("?", {}, R"({"action":"maybe"})"));
}

}  // namespace
}  // namespace snapgen::mcp

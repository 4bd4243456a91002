// Streamable HTTP in both eras: sessions, streams, errors, limits and shutdown, as a client observes them.
#include "runtime/streamable/endpoint.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "tests/streamable/http_world.h"

namespace snapgen::streamable {
namespace {

const std::string ping = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";

TEST(LegacyHttp, HasASessionFromInitializeToDelete) {
  HttpWorld world;
  Peer peer = world.connect();
  const std::string opened = peer.send(request("POST", {}, initialize));
  EXPECT_EQ(status_of(opened), 200);
  EXPECT_TRUE(has(opened, R"("protocolVersion":"2025-11-25")"));
  const std::string id = field_of(opened, "Mcp-Session-Id");
  EXPECT_EQ(id.size(), 32U);
  const std::string session = "Mcp-Session-Id: " + id + "\r\n";
  const std::string initialized = R"({"jsonrpc":"2.0","method":"notifications/initialized"})";
  EXPECT_EQ(status_of(peer.send(request("POST", session, initialized))), 202);
  EXPECT_TRUE(has(peer.send(request("POST", session, ping)), R"({"id":1,"jsonrpc":"2.0","result":{}})"));
  EXPECT_EQ(world.endpoint.session_count(), 1U);

  EXPECT_EQ(status_of(world.connect().send(request("POST", {}, ping))), 400) << "no session id";
  EXPECT_EQ(status_of(world.connect().send(request("POST", "Mcp-Session-Id: x\r\n", ping))), 404);
  EXPECT_EQ(status_of(world.connect().send(request("POST", session + session, ping))), 400);
  EXPECT_EQ(status_of(world.connect().send(
                request("POST", session + "MCP-Protocol-Version: 2099-01-01\r\n", ping))),
            400);

  EXPECT_EQ(status_of(world.connect().send(request("DELETE", session))), 200);
  EXPECT_EQ(status_of(world.connect().send(request("POST", session, ping))), 404);
  EXPECT_EQ(status_of(world.connect().send(request("DELETE", session))), 404);
  EXPECT_EQ(world.endpoint.session_count(), 0U);
}

TEST(LegacyHttp, StreamsMessagesBeforeAResponse) {
  HttpWorld world;
  const std::string session = open_session(world);
  Peer peer = world.connect();
  const std::string said = peer.send(
      request("POST", session,
              legacy_call(
                  "5", R"({"name":"test_tool_with_progress","arguments":{},"_meta":{"progressToken":"p"}})")),
      Millis(1000));
  EXPECT_EQ(status_of(said), 200);
  EXPECT_EQ(field_of(said, "Content-Type"), "text/event-stream");
  EXPECT_EQ(field_of(said, "X-Accel-Buffering"), "no");
  EXPECT_TRUE(has(said, "id: 2-0\ndata: \n\n")) << "an id to resume with, before any message";
  EXPECT_TRUE(has(said, R"("progress":50)"));
  EXPECT_LT(said.find(R"("progress":100)"), said.find(R"("id":5)"));
  EXPECT_TRUE(said.ends_with("0\r\n\r\n"));
  EXPECT_EQ(status_of(peer.send(request("POST", session, ping))), 200) << "the connection remains usable";
}

TEST(LegacyHttp, AsksTheClientOnTheStreamOfTheCall) {
  HttpWorld world;
  const std::string session = open_session(world);
  Peer calling = world.connect();
  const std::string asked = calling.send(request(
      "POST", session, legacy_call("1", R"({"name":"test_elicitation","arguments":{"message":"Who?"}})")));
  EXPECT_TRUE(has(asked, R"("method":"elicitation/create")"));
  Peer answering = world.connect();
  EXPECT_EQ(
      status_of(answering.send(request(
          "POST", session,
          R"({"jsonrpc":"2.0","id":1,"result":{"action":"accept","content":{"username":"u","email":"e@e.e"}}})"))),
      202);
  EXPECT_TRUE(has(calling.hear(), "accept"));
}

TEST(LegacyHttp, ReportsChangesOnTheSessionStream) {
  HttpWorld world;
  const std::string session = open_session(world);
  Peer first = world.connect();
  const std::string opened = first.send(request("GET", session));
  EXPECT_EQ(field_of(opened, "Content-Type"), "text/event-stream");
  world.world.fixture.server().announce_tools_changed();
  EXPECT_TRUE(has(first.hear(), "notifications/tools/list_changed"));
  Peer second = world.connect();
  second.send(request("GET", session));
  EXPECT_TRUE(first.hear().ends_with("0\r\n\r\n")) << "the newest connection has the stream";
  world.world.fixture.server().announce_tools_changed();
  EXPECT_TRUE(has(second.hear(), "notifications/tools/list_changed"));
  EXPECT_EQ(first.hear(), "");
  second.hang_up();
  world.world.pass();
  world.world.fixture.server().announce_tools_changed();
  Peer third = world.connect();
  EXPECT_TRUE(has(third.send(request("GET", session)), "notifications/tools/list_changed"))
      << "the next connection receives the events that no client received";
}

TEST(LegacyHttp, LetsAClientResumeAStream) {
  HttpWorld world;
  const std::string session = open_session(world);
  Peer broken = world.connect();
  const std::string begun = broken.send(
      request("POST", session,
              legacy_call(
                  "5", R"({"name":"test_tool_with_progress","arguments":{},"_meta":{"progressToken":"p"}})")),
      Millis(10));
  EXPECT_TRUE(has(begun, "id: 2-1\n"));
  EXPECT_FALSE(has(begun, R"("progress":50)"));
  broken.hang_up();
  world.world.pass(Millis(1000));
  Peer back = world.connect();
  const std::string rest = back.send(request("GET", session + "Last-Event-ID: 2-1\r\n"));
  EXPECT_FALSE(has(rest, "id: 2-1\n"));
  EXPECT_TRUE(has(rest, R"("progress":50)"));
  EXPECT_TRUE(has(rest, R"("id":5)"));
  EXPECT_TRUE(rest.ends_with("0\r\n\r\n"));
  // A client that received no event resumes from the beginning of the stream.
  EXPECT_TRUE(has(back.send(request("GET", session + "Last-Event-ID: 2-0\r\n")), "id: 2-1\n"));
}

TEST(LegacyHttp, ClosesTheConnectionAndRespondsAfterAReconnect) {
  HttpWorld world;
  const std::string session = open_session(world);
  Peer peer = world.connect();
  const std::string begun =
      peer.send(request("POST", session, legacy_call("5", R"({"name":"test_reconnection"})")));
  EXPECT_TRUE(has(begun, "id: 2-0\ndata: \n\n"));
  EXPECT_TRUE(has(begun, "retry: 50\n\n"));
  EXPECT_TRUE(begun.ends_with("0\r\n\r\n")) << "the stream ends without a response";
  world.world.pass(Millis(1000));
  const std::string rest = peer.send(request("GET", session + "Last-Event-ID: 2-0\r\n"));
  EXPECT_TRUE(has(rest, R"("id":5)"));
  // If the client received no event id, it could not resume, so the connection remains open.
  const std::string id = session.substr(session.find("Mcp-Session-Id"));
  const std::string kept =
      peer.send(request("POST", id, legacy_call("6", R"({"name":"test_reconnection"})")), Millis(1000));
  EXPECT_TRUE(has(kept, R"("id":6)"));
}

TEST(LegacyHttp, AnswersEachConnectionWhenAnotherSendsItsNextRequest) {
  mcp::Options options = mcp::World::announcing();
  options.limits.requests_in_flight_max = 1;
  HttpWorld world({}, {}, options);
  const std::string session = open_session(world);
  Peer slow = world.connect();
  Peer twice = world.connect();
  Peer once = world.connect();
  slow.send(request("POST", session, legacy_call("1", R"({"name":"slow","arguments":{"duration_ms":50}})")));
  // Both requests wait for the slow call, so one turn of the event loop answers them. The first connection
  // sends its next request, so the server deletes the answered one before the other connection continues.
  const std::string echo = R"({"name":"echo","arguments":{"text":"hi"}})";
  twice.send(request("POST", session, legacy_call("2", echo)) + request("POST", session, ping));
  once.send(request("POST", session, legacy_call("3", echo)));
  world.world.pass(Millis(100));
  EXPECT_TRUE(has(once.hear(), R"("id":3)"));
  const std::string both = twice.hear();
  EXPECT_TRUE(has(both, R"("id":2)") && has(both, R"({"id":1,"jsonrpc":"2.0","result":{}})"));
}

TEST(LegacyHttp, KeepsTheNewestEventsOfAllSessionsWithinACommonLimit) {
  HttpWorld world({.replay_bytes_max = 2000});
  const std::string token(1000, 't');
  const std::string call = legacy_call(
      "5", R"({"name":"slow","arguments":{"duration_ms":50,"steps":1},"_meta":{"progressToken":")" + token +
               R"("}})");
  std::string rests[2];
  const std::string sessions[2] = {open_session(world), open_session(world)};
  for (const std::string& session : sessions) {
    Peer broken = world.connect();
    broken.send(request("POST", session, call));
    broken.hang_up();
    world.world.pass(Millis(100));
  }
  for (int i = 0; i != 2; ++i) {
    Peer back = world.connect();
    rests[i] = back.send(request("GET", sessions[i] + "Last-Event-ID: 2-0\r\n"));
    EXPECT_TRUE(has(rests[i], R"("id":5)")) << rests[i];
  }
  EXPECT_FALSE(has(rests[0], token)) << "the oldest events are deleted";
  EXPECT_TRUE(has(rests[1], token));
}

TEST(LegacyHttp, AcceptsABatchWithoutRequests) {
  HttpWorld world;
  Peer peer = world.connect();
  const std::string opened = peer.send(request(
      "POST", {},
      R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{}}})"));
  const std::string session = "Mcp-Session-Id: " + field_of(opened, "Mcp-Session-Id") + "\r\n";
  const std::string notification = R"({"jsonrpc":"2.0","method":"notifications/initialized"})";
  const std::string answer = R"({"jsonrpc":"2.0","id":77,"result":{}})";
  EXPECT_EQ(status_of(peer.send(request("POST", session, "[" + notification + "]"))), 202);
  EXPECT_EQ(status_of(peer.send(request("POST", session, "[" + notification + "," + answer + "]"))), 202);
  EXPECT_TRUE(has(peer.send(request("POST", session, "[" + notification + "," + ping + "]")),
                  R"([{"id":1,"jsonrpc":"2.0","result":{}}])"));
  EXPECT_EQ(status_of(peer.send(request("POST", session, "[]"))), 400);
  // Revisions other than 2025-03-26 have no batches.
  EXPECT_EQ(status_of(peer.send(request("POST", open_session(world), "[" + notification + "]"))), 400);
}

TEST(LegacyHttp, ReceivesMessagesOfASessionWithTheMaximumOfCalls) {
  mcp::Options options = mcp::World::announcing();
  options.limits.requests_in_flight_max = 2;
  HttpWorld world({}, {}, options);
  const std::string session = open_session(world);
  const std::string hour = R"({"name":"slow","arguments":{"duration_ms":3600000}})";
  for (int id = 11; id <= 13; ++id) {
    Peer gone = world.connect();
    gone.send(request("POST", session, legacy_call(std::to_string(id), hour)));
    gone.hang_up();
  }
  Peer waiting = world.connect();
  EXPECT_EQ(waiting.send(
                request("POST", session, legacy_call("14", R"({"name":"echo","arguments":{"text":"hi"}})"))),
            "");
  Peer peer = world.connect();
  EXPECT_TRUE(has(peer.send(request("POST", session, ping)), R"({"id":1,"jsonrpc":"2.0","result":{}})"));
  for (const std::string id : {"11", "13"})
    EXPECT_EQ(
        status_of(peer.send(request(
            "POST", session,
            R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" + id + "}}"))),
        202);
  EXPECT_TRUE(has(waiting.hear(), R"("text":"hi")"));
}

TEST(LegacyHttp, SendsHeartbeatsOnSilentStreams) {
  HttpWorld world({.heartbeat_interval = Millis(1000)});
  const std::string session = open_session(world);
  Peer listening = world.connect();
  listening.send(request("GET", session));
  Peer calling = world.connect();
  const std::string slow = R"({"name":"slow","arguments":{"duration_ms":3500}})";
  EXPECT_EQ(calling.send(request("POST", session, legacy_call("5", slow)), Millis(100)), "");
  const std::string begun = calling.hear(Millis(3000));
  EXPECT_TRUE(has(begun, "id: 2-0\ndata: \n\n")) << "a slow response becomes a stream";
  EXPECT_TRUE(has(begun, "\r\n:\n\n\r\n"));
  EXPECT_TRUE(has(listening.hear(), "\r\n:\n\n\r\n"));
  EXPECT_TRUE(has(calling.hear(Millis(1000)), R"("id":5)"));
  EXPECT_TRUE(has(calling.send(request("POST", session, ping)), R"({"id":1,"jsonrpc":"2.0","result":{}})"))
      << "an immediate response is not a stream";
}

TEST(ModernHttp, SendsHeartbeatsOnSilentStreams) {
  HttpWorld world({.heartbeat_interval = Millis(1000)});
  Peer peer = world.connect();
  const std::string body = modern("1", "tools/call", R"({"name":"slow","arguments":{"duration_ms":3500})");
  EXPECT_EQ(peer.send(request("POST", modern_fields("tools/call", "slow"), body), Millis(100)), "");
  const std::string begun = peer.hear(Millis(3000));
  EXPECT_EQ(field_of(begun, "Content-Type"), "text/event-stream");
  EXPECT_TRUE(has(begun, "\r\n:\n\n\r\n"));
  EXPECT_TRUE(has(peer.hear(Millis(1000)), R"("id":1)"));
}

TEST(LegacyHttp, EvictsTheLeastRecentlyUsedSession) {
  HttpWorld world({.sessions_max = 2});
  const std::string first = open_session(world);
  const std::string second = open_session(world);
  Peer peer = world.connect();
  EXPECT_EQ(status_of(peer.send(request("POST", first, ping))), 200);
  const std::string third = open_session(world);
  EXPECT_EQ(world.endpoint.session_count(), 2U);
  EXPECT_EQ(status_of(peer.send(request("POST", first, ping))), 200);
  EXPECT_EQ(status_of(peer.send(request("POST", third, ping))), 200);
  EXPECT_EQ(status_of(peer.send(request("POST", second, ping))), 404);
}

TEST(ModernHttp, AnswersRequestsWithoutASession) {
  HttpWorld world;
  Peer peer = world.connect();
  const std::string echo = modern("1", "tools/call", R"({"name":"echo","arguments":{"text":"hi"})");
  const std::string answer = peer.send(request("POST", modern_fields("tools/call", "echo"), echo));
  EXPECT_EQ(status_of(answer), 200);
  EXPECT_EQ(field_of(answer, "Content-Type"), "application/json");
  EXPECT_EQ(field_of(answer, "Mcp-Session-Id"), "");
  EXPECT_TRUE(has(answer, R"("text":"hi")"));
  // A concurrent request with the same id comes from another client.
  Peer other = world.connect();
  const std::string slow =
      modern("1", "tools/call", R"({"name":"slow","arguments":{"duration_ms":30,"steps":3})");
  peer.memory().send(request("POST", modern_fields("tools/call", "slow"), slow));
  other.memory().send(request("POST", modern_fields("tools/call", "slow"), slow));
  world.world.pass(Millis(1000));
  for (Peer* each : {&peer, &other}) {
    const std::string said = each->hear();
    EXPECT_EQ(field_of(said, "X-Accel-Buffering"), "no");
    EXPECT_TRUE(has(said, "notifications/progress"));
    EXPECT_FALSE(has(said, "\nid: ")) << "a stateless client cannot resume";
    EXPECT_TRUE(has(said, R"("id":1)") && said.ends_with("0\r\n\r\n"));
  }
}

TEST(ModernHttp, RejectsHeadersThatContradictTheBody) {
  HttpWorld world;
  Peer peer = world.connect();
  const std::string echo = modern("1", "tools/call", R"({"name":"echo","arguments":{"text":"hi"})");
  const std::string version = "MCP-Protocol-Version: 2026-07-28\r\n";
  const std::string good[] = {
      modern_fields("tools/call", "echo"),
      "mcp-protocol-version: 2026-07-28\r\nMCP-METHOD:  tools/call \r\nmcp-name: echo\r\n",
      modern_fields("tools/call", "=?base64?ZWNobw==?="),
  };
  for (const std::string& fields : good)
    EXPECT_EQ(status_of(peer.send(request("POST", fields, echo))), 200) << fields;
  const std::string bad[] = {
      {},
      version,
      version + "Mcp-Method: tools/call\r\n",
      version + "Mcp-Name: echo\r\n",
      modern_fields("tools/call", "Echo"),
      modern_fields("Tools/Call", "echo"),
      modern_fields("tools/list", "echo"),
      modern_fields("tools/call", "=?base64?ZWNobw=?="),
      modern_fields("tools/call", "=?base64?ZW%Nobw==?="),
      modern_fields("tools/call", "echo") + "Mcp-Name: echo\r\n",
      modern_fields("tools/call", "echo") + version,
  };
  for (const std::string& fields : bad) {
    const std::string answer = peer.send(request("POST", fields, echo));
    EXPECT_EQ(status_of(answer), 400) << fields;
    EXPECT_TRUE(has(answer, R"("code":-32020)") && has(answer, R"("id":1)")) << fields << answer;
  }
}

TEST(ModernHttp, RejectsABodyOfAnotherEraThanItsHeader) {
  HttpWorld world;
  const std::string session = open_session(world);
  const std::string id = "Mcp-Session-Id: " + field_of("\r\n" + session, "Mcp-Session-Id") + "\r\n";
  Peer peer = world.connect();
  const std::string list = modern("1", "tools/list", "{");
  const std::string method = "Mcp-Method: tools/list\r\n";
  for (const std::string& fields :
       {"MCP-Protocol-Version: 2025-11-25\r\n" + method, "MCP-Protocol-Version: 2025-03-26\r\n" + method,
        "MCP-Protocol-Version: 1999\r\n" + method, session + method, id + method,
        "MCP-Protocol-Version: 2025-11-25\r\nMCP-Protocol-Version: 2026-07-28\r\n" + method}) {
    const std::string answer = peer.send(request("POST", fields, list));
    EXPECT_EQ(status_of(answer), 400) << fields;
    EXPECT_TRUE(has(answer, R"("code":-32020)") && has(answer, R"("id":1)")) << fields << answer;
  }
  EXPECT_EQ(status_of(peer.send(request("POST", session, ping))), 200) << "the session remains usable";
  EXPECT_EQ(status_of(peer.send(request("POST", session + modern_fields("tools/list"), list))), 400)
      << "the request has both header fields";
  EXPECT_EQ(status_of(peer.send(request("POST", modern_fields("tools/list") + id, list))), 200)
      << "a request that names a modern revision needs no session";
}

TEST(ModernHttp, ValidatesHeaderFieldsOfArguments) {
  HttpWorld world;
  Peer peer = world.connect();
  const std::string call = modern(
      "1", "tools/call", R"({"name":"test_x_mcp_header","arguments":{"region":"eu west","priority":3})");
  const std::string fields = modern_fields("tools/call", "test_x_mcp_header");
  const auto status = [&](const std::string& more) {
    return status_of(peer.send(request("POST", fields + more, call)));
  };
  EXPECT_EQ(status("Mcp-Param-Region: eu west\r\nMcp-Param-Priority: 3\r\n"), 200);
  EXPECT_EQ(status("mcp-param-region: =?base64?ZXUgd2VzdA==?=\r\nMcp-Param-Priority: 3\r\n"), 200);
  EXPECT_EQ(status("Mcp-Param-Region: eu west\r\n"), 400) << "one header field is missing";
  EXPECT_EQ(status("Mcp-Param-Region: us\r\nMcp-Param-Priority: 3\r\n"), 400);
  EXPECT_EQ(status("Mcp-Param-Region: ZXUgd2VzdA==\r\nMcp-Param-Priority: 3\r\n"), 400) << "no base64 prefix";
  EXPECT_EQ(status("Mcp-Param-Region: eu west\r\nMcp-Param-Priority: 3\r\nMcp-Param-Verbose: true\r\n"), 400)
      << "the body lacks the argument of a header field";
}

TEST(ModernHttp, RespondsWithTheStatusOfTheError) {
  HttpWorld world;
  Peer peer = world.connect();
  const auto send = [&](std::string_view method, const std::string& body) {
    return peer.send(request("POST", modern_fields(method), body));
  };
  const std::string unknown = send("ping", modern("3", "ping", "{"));
  EXPECT_EQ(status_of(unknown), 404);
  EXPECT_TRUE(has(unknown, R"("code":-32601)") && has(unknown, R"("id":3)"));
  const std::string bare = send("tools/list", R"({"jsonrpc":"2.0","id":4,"method":"tools/list"})");
  EXPECT_EQ(status_of(bare), 400);
  EXPECT_TRUE(has(bare, R"("code":-32602)"));
  const std::string future =
      peer.send(request("POST", "MCP-Protocol-Version: 2099-01-01\r\nMcp-Method: tools/list\r\n",
                        R"({"jsonrpc":"2.0","id":5,"method":"tools/list","params":{"_meta":{)"
                        R"("io.modelcontextprotocol/protocolVersion":"2099-01-01",)"
                        R"("io.modelcontextprotocol/clientCapabilities":{}}}})"));
  EXPECT_EQ(status_of(future), 400);
  EXPECT_TRUE(has(future, R"("code":-32022)") && has(future, R"("2026-07-28")"));
  EXPECT_EQ(status_of(send("tools/list", "{")), 400);
  EXPECT_EQ(status_of(send("tools/list", "[]")), 400);
  const std::string unknown_tool =
      peer.send(request("POST", modern_fields("tools/call", "nobody"),
                        modern("6", "tools/call", R"({"name":"nobody","arguments":{})")));
  EXPECT_EQ(status_of(unknown_tool), 200) << "an error of the call does not change the status";
  const std::string lacking =
      peer.send(request("POST", modern_fields("tools/call", "test_missing_capability"),
                        modern("7", "tools/call", R"({"name":"test_missing_capability","arguments":{})")));
  EXPECT_EQ(status_of(lacking), 400);
  EXPECT_TRUE(has(lacking, R"("code":-32021,"data":{"requiredCapabilities":{"sampling":{}}})"));
  EXPECT_EQ(status_of(send("notifications/x", R"({"jsonrpc":"2.0","method":"notifications/x"})")), 202);
  EXPECT_EQ(status_of(peer.send(request("GET", "MCP-Protocol-Version: 2026-07-28\r\n"))), 405);
  EXPECT_EQ(status_of(peer.send(request("DELETE", "MCP-Protocol-Version: 2026-07-28\r\n"))), 405);
  EXPECT_EQ(status_of(peer.send(request("PUT", {}))), 405);
}

TEST(ModernHttp, ResumesACallWhenItIsRepeatedOnAnotherConnection) {
  HttpWorld world;
  const std::string name = "test_input_required_result_elicitation";
  const std::string params = R"({"name":")" + name + R"(","arguments":{})";
  std::string state;
  {
    Peer first = world.connect();
    const std::string asked =
        first.send(request("POST", modern_fields("tools/call", name), modern("1", "tools/call", params)));
    EXPECT_TRUE(has(asked, R"("resultType":"input_required")"));
    const std::size_t begin = asked.find("\"requestState\":\"") + 16;
    state = asked.substr(begin, asked.find('"', begin) - begin);
    first.hang_up();
    world.world.pass();
  }
  Peer second = world.connect();
  const std::string answer = second.send(request(
      "POST", modern_fields("tools/call", name),
      modern("2", "tools/call",
             params + R"(,"requestState":")" + state +
                 R"(","inputResponses":{"user_name":{"action":"accept","content":{"name":"Ada"}}})")));
  EXPECT_TRUE(has(answer, "Ada")) << answer;
  EXPECT_TRUE(has(answer, R"("resultType":"complete")") && has(answer, R"("id":2)"));
}

TEST(ModernHttp, ASubscriptionEndsWithItsConnectionOrTheServer) {
  HttpWorld world;
  const std::string listen =
      modern("9", "subscriptions/listen", R"({"notifications":{"toolsListChanged":true})");
  Peer gone = world.connect();
  Peer peer = world.connect();
  for (Peer* each : {&gone, &peer}) {
    const std::string opened = each->send(request("POST", modern_fields("subscriptions/listen"), listen));
    EXPECT_TRUE(has(opened, "notifications/subscriptions/acknowledged"));
  }
  gone.hang_up();
  world.world.pass();
  world.world.fixture.server().announce_tools_changed();
  EXPECT_TRUE(has(peer.hear(), "notifications/tools/list_changed"));
  world.end();
  const std::string end = peer.hear();
  EXPECT_LT(end.find("notifications/cancelled"), end.find(R"("resultType":"complete")"));
  EXPECT_TRUE(end.ends_with("0\r\n\r\n"));
}

TEST(Http, AnswersPipelinedRequestsInOrder) {
  HttpWorld world;
  Peer peer = world.connect();
  std::string all;
  for (int i = 1; i <= 20; ++i) {
    const std::string tool = i % 3 == 0 ? R"({"name":"slow","arguments":{"duration_ms":5,"steps":1})"
                                        : R"({"name":"echo","arguments":{"text":"x"})";
    all += request("POST", modern_fields("tools/call", i % 3 == 0 ? "slow" : "echo"),
                   modern(std::to_string(i), "tools/call", tool));
  }
  const std::string said = peer.send(all, Millis(5000));
  std::size_t last = 0;
  for (int i = 1; i <= 20; ++i) {
    const std::size_t at = said.find("\"id\":" + std::to_string(i) + ",");
    ASSERT_NE(at, std::string::npos) << i;
    EXPECT_GT(at, last) << i;
    last = at;
  }
}

TEST(Http, SlowPeersTimeOut) {
  HttpWorld world;
  Peer silent = world.connect();
  Peer slow_head = world.connect();
  Peer slow_body = world.connect();
  slow_head.send("POST /mcp HTT");
  const std::string whole = request("POST", {}, std::string(1000, ' '));
  slow_body.send(whole.substr(0, whole.size() - 999));
  EXPECT_EQ(status_of(slow_head.hear(Millis(11'000))), 408);
  EXPECT_EQ(status_of(slow_body.hear()), 408);
  EXPECT_EQ(silent.hear(), "");
  EXPECT_TRUE(silent.is_ended());
  EXPECT_TRUE(slow_head.is_ended());
}

TEST(Http, RejectsOversizeRequestsBeforeTheBody) {
  http::ServerLimits limits;
  limits.connection.request.body_bytes_max = 1000;
  HttpWorld world({}, limits);
  Peer peer = world.connect();
  EXPECT_EQ(status_of(peer.send("POST /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n"
                                "Content-Type: application/json\r\nContent-Length: 1001\r\n\r\n")),
            413);
  EXPECT_TRUE(peer.is_ended());
}

TEST(LegacyHttp, RejectsAnUnknownSessionBeforeTheBody) {
  HttpWorld world;
  const std::string whole = request("POST", "Mcp-Session-Id: x\r\n", std::string(1000, ' '));
  Peer peer = world.connect();
  EXPECT_EQ(status_of(peer.send(whole.substr(0, whole.size() - 1000))), 404);
  EXPECT_TRUE(peer.is_ended());
  // A modern request requires no session.
  const std::string list = modern("1", "tools/list", "{");
  EXPECT_EQ(status_of(world.connect().send(
                request("POST", "Mcp-Session-Id: x\r\n" + modern_fields("tools/list"), list))),
            200);
}

TEST(Http, RequestsABodyThatTheClientWithholds) {
  HttpWorld world;
  Peer peer = world.connect();
  const std::string whole = request("POST", "Expect: 100-continue\r\n", initialize);
  const std::size_t head = whole.size() - initialize.size();
  EXPECT_EQ(peer.send(whole.substr(0, head)), "HTTP/1.1 100 Continue\r\n\r\n");
  EXPECT_EQ(status_of(peer.send(whole.substr(head))), 200);
  // The body is not requested if the head is enough to reject the request.
  const std::string denied = peer.send(
      "POST /other HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n"
      "Content-Length: 5\r\n\r\n");
  EXPECT_EQ(status_of(denied), 404);
  EXPECT_EQ(field_of(denied, "Connection"), "close");
}

TEST(Http, LimitsItsConnections) {
  http::ServerLimits limits;
  limits.connections_max = 1;
  HttpWorld world({}, limits);
  const std::string session = open_session(world);
  Peer first = world.connect();
  EXPECT_EQ(status_of(first.send(request("GET", session))), 200);
  Peer second = world.connect();
  EXPECT_EQ(status_of(second.send(request("POST", {}, initialize))), 200) << "closes the idle stream";
  EXPECT_TRUE(first.is_ended());
  const std::string last = first.hear();
  EXPECT_TRUE(has(last, "retry: 5000\n\n") && last.ends_with("0\r\n\r\n")) << last;
}

TEST(Http, AcceptsOnlyJsonFromClientsThatAcceptTheResponse) {
  HttpWorld world;
  Peer peer = world.connect();
  const std::string begin = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n";
  EXPECT_EQ(status_of(peer.send(begin + "Accept: */*\r\nContent-Type: text/plain\r\n\r\n")), 415);
  EXPECT_EQ(status_of(peer.send(begin + "Accept: */*\r\n\r\n")), 415);
  for (const char* no : {"text/html", "application/json", "application/json, text/event-streamy", "*/*;q=0"})
    EXPECT_EQ(status_of(peer.send(begin + "Accept: " + no + "\r\nContent-Type: application/json\r\n\r\n")),
              406)
        << no;
  for (const char* yes : {"Application/JSON, Text/Event-Stream", "application/*, text/*"})
    EXPECT_EQ(status_of(peer.send(begin + "Accept: " + yes + "\r\nContent-Type: application/json\r\n\r\n")),
              400)
        << yes;
  EXPECT_EQ(
      status_of(peer.send(begin + "Accept: */*\r\nContent-Type: application/json; charset=utf-8\r\n\r\n")),
      400);
}

TEST(Http, RejectsEncodedBodies) {
  HttpWorld world;
  Peer peer = world.connect();
  const std::string begin =
      "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nAccept: */*\r\n"
      "Content-Type: application/json\r\n";
  for (const std::string encoded : {"Content-Encoding: gzip", "content-encoding: br, identity",
                                    "Content-Encoding: identity\r\nContent-Encoding: zstd"}) {
    const std::string answer = peer.send(begin + encoded + "\r\n\r\n");
    EXPECT_EQ(status_of(answer), 415) << encoded;
    EXPECT_EQ(field_of(answer, "Accept-Encoding"), "identity");
  }
  EXPECT_EQ(status_of(peer.send(begin + "Content-Encoding: Identity\r\n\r\n")), 400);
}

TEST(Http, RejectsNewSessionsDuringShutdown) {
  HttpWorld world;
  const std::string session = open_session(world);
  Peer peer = world.connect();
  // The session's stream ends only when the server ends, so the request after it is not read.
  peer.send(request("GET", session) + request("POST", {}, initialize));
  world.end();
  const std::string end = peer.hear();
  EXPECT_FALSE(has(end, "protocolVersion")) << end;
  EXPECT_EQ(world.endpoint.session_count(), 0U);
  EXPECT_TRUE(peer.is_ended());
}

TEST(Http, ShutsDownInOrderWhileCallsAreInProgress) {
  HttpWorld world;
  const std::string session = open_session(world);
  Peer legacy = world.connect();
  Peer stateless = world.connect();
  Peer idle = world.connect();
  const std::string slow = R"({"name":"slow","arguments":{"duration_ms":3600000,"steps":1})";
  legacy.send(request("POST", session, legacy_call("1", slow + "}")));
  stateless.send(request("POST", modern_fields("tools/call", "slow"), modern("1", "tools/call", slow)));
  world.end();
  EXPECT_TRUE(legacy.is_ended());
  EXPECT_TRUE(stateless.is_ended());
  EXPECT_TRUE(idle.is_ended());
  EXPECT_FALSE(has(stateless.hear(), R"("result")"));
}

}  // namespace
}  // namespace snapgen::streamable

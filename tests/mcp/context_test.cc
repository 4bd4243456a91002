// What a handler can read about its client in addition to the arguments: the request's _meta, the state of
// the connection, and answers to optional questions.
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "runtime/mcp/call.h"
#include "runtime/mcp/render.h"
#include "runtime/mcp/roots.h"
#include "tests/mcp/world.h"

namespace snapgen::mcp {
namespace {

constexpr std::string_view listing = R"({"inputSchema":{"type":"object"},"name":"probe"})";

// Tools that return what they can read. One of them asks for the client's roots if the client supports it,
// and waits at most a second.
class Probe final : public ToolSet {
 public:
  Probe() {
    for (auto& forms : tool_.listing) forms[0] = forms[1] = listing;
  }
  std::span<const Tool> all() const override { return {&tool_, 1}; }
  const Tool* find(std::string_view name) const override { return name == tool_.name ? &tool_ : nullptr; }
  std::span<const Profile> profiles() const override { return {}; }

  Task<Unit> call(const Tool&, Call& call, std::string_view, std::string& result) override {
    std::string seen = "meta=" + std::string(call.meta());
    std::unique_ptr<ClientState>* state = call.client_state();
    if (state != nullptr && !*state) *state = std::make_unique<Visits>();
    if (state != nullptr) seen += " visit=" + std::to_string(++static_cast<Visits&>(**state).count);
    Task<std::vector<Root>> asking = ask_for_roots(call, Millis(1000));
    Result<std::vector<Root>> listed = co_await std::move(asking);
    if (!listed && listed.error().code == ErrorCode::cancelled) co_return std::move(listed).error();
    seen += listed ? " roots=" + std::to_string(listed->size()) : " error=" + listed.error().message;
    seen += " later=" + std::string(call.meta());
    append_text_block(result, seen);
    co_return Unit{};
  }
  ErrorWriter error_writer(const Tool&) const override {
    return [](std::string& text, const Error& error) { text = error.message; };
  }

 private:
  struct Visits final : ClientState {
    int count = 0;
  };
  Tool tool_{.name = "probe",
             .safe_name = "probe",
             .family = "test",
             .deadline_ms = 0,
             .listing = {},
             .merged_output_schema = {}};
};

class ProbeWorld final : public World {
 public:
  Server& server() override { return server_; }

 private:
  Probe probe_;
  Server server_{{.info = {.name = "probe", .version = "1"}, .tools = &probe_}};
};

std::string initialize(std::string_view capabilities) {
  return R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":)" +
         std::string(capabilities) + "}}\n";
}

std::string probe(int id, const std::string& more = {}) {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) +
         R"(,"method":"tools/call","params":{"name":"probe","arguments":{})" + more + "}}\n";
}

std::string answer(int question, std::string_view outcome) {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(question) + "," + std::string(outcome) + "}\n";
}

TEST(Context, MetaIsThatOfTheRequestUntilTheHandlerFirstWaits) {
  ProbeWorld world;
  Client client(world);
  client.peer.send(initialize("{}") + probe(1, R"(,"_meta":{"a":{"b":[1]}})") + probe(2) +
                   probe(3, R"(,"_meta":{"a":{"b":[1]}})"));
  world.pass();
  EXPECT_TRUE(client.heard(R"(meta={\"a\":{\"b\":[1]}} visit=1 error=)"));
  EXPECT_TRUE(client.heard("meta= visit=2 "));
  EXPECT_TRUE(client.heard(R"(meta={\"a\":{\"b\":[1]}} visit=3 )"))
      << "the value is the same as before, and _meta is not read again";
  client.peer.send(initialize(R"({"roots":{}})") + probe(4, R"(,"_meta":{"c":1})"));
  world.pass();
  client.peer.send(answer(1, R"("result":{"roots":[]})"));
  world.pass();
  EXPECT_TRUE(client.heard(R"(meta={\"c\":1} visit=4 roots=0 later=")")) << client.lines().back();
}

TEST(Context, EachConnectionHasItsOwnState) {
  ProbeWorld world;
  Client one(world), two(world);
  one.peer.send(initialize("{}") + probe(1) + probe(2));
  two.peer.send(initialize("{}") + probe(1));
  world.pass();
  EXPECT_TRUE(one.heard("visit=2"));
  EXPECT_TRUE(two.heard("visit=1"));
  EXPECT_FALSE(two.heard("visit=2"));
}

TEST(Context, AnOptionalQuestionTimesOutSoon) {
  ProbeWorld world;
  Client client(world);
  client.peer.send(initialize(R"({"roots":{}})") + probe(1));
  world.pass(Millis(999));
  EXPECT_FALSE(client.heard("error="));
  world.pass(Millis(2));
  EXPECT_TRUE(client.heard("error=The client did not answer the server's request.")) << client.lines().back();
  EXPECT_TRUE(client.heard(R"("method":"notifications/cancelled","params":{"requestId":1})"));
  // The server ignores a late answer; the next question has another id.
  client.peer.send(answer(1, R"("result":{"roots":[]})") + probe(2));
  world.pass();
  EXPECT_FALSE(client.heard("roots=0"));
  client.peer.send(answer(2, R"("error":{"code":-32601,"message":"no such method"})"));
  world.pass();
  EXPECT_TRUE(client.heard("error=The client refused the request: no such method.")) << client.lines().back();
  client.peer.send(probe(3));
  world.pass();
  client.peer.send(answer(3, R"("result":{"roots":[{"uri":"file:///a"}]})"));
  world.pass();
  EXPECT_TRUE(client.heard("roots=1"));
}

}  // namespace
}  // namespace snapgen::mcp

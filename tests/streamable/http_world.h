#pragma once
// HttpWorld: the fixture's server with an HTTP endpoint, in memory, with a clock that only tests advance.
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/streamable/endpoint.h"
#include "tests/mcp/world.h"
#include "tests/sim/sim_acceptor.h"

namespace snapgen::streamable {

// The client's end of a connection.
class Peer {
 public:
  Peer(mcp::World& world, sim::SimAcceptor& acceptor, MemoryPeer::Pace pace)
      : world_(world), peer_(acceptor.connect(std::move(pace))) {}

  // Sends `bytes` and returns everything that the server sends within `time`.
  std::string send(std::string_view bytes, Millis time = Millis(0)) {
    peer_->send(bytes);
    return hear(time);
  }
  std::string hear(Millis time = Millis(0)) {
    world_.pass(time);
    const std::string said = peer_->received().substr(heard_);
    heard_ = peer_->received().size();
    return said;
  }
  void hang_up() {
    peer_->stop_reading();
    peer_->end_sending();
  }
  bool is_ended() const { return peer_->has_ended_writing(); }
  MemoryPeer& memory() { return *peer_; }

 private:
  mcp::World& world_;
  std::shared_ptr<MemoryPeer> peer_;
  std::size_t heard_ = 0;
};

class HttpWorld {
 public:
  explicit HttpWorld(EndpointOptions options = {}, http::ServerLimits limits = {},
                     mcp::Options server_options = mcp::World::announcing())
      : world(std::move(server_options)),
        limits_(limits),
        acceptor(world.loop),
        endpoint(world.loop, world.fixture.server(), std::move(options)),
        scope_(world.loop) {
    Task<Unit> serving = serve(world.loop, acceptor, endpoint, limits_, stop.get_token());
    scope_.spawn(std::move(serving));
  }
  ~HttpWorld() { end(); }

  Peer connect(MemoryPeer::Pace pace = {}) { return {world, acceptor, std::move(pace)}; }
  // Stops the server and waits until it has ended.
  void end() {
    stop.request_stop();
    Result<Unit> joined = world.loop.run(join());
    static_cast<void>(joined);
  }

  mcp::World world;

 private:
  Task<Unit> join() {
    co_await scope_.join();
    co_return Unit{};
  }
  http::ServerLimits limits_;

 public:
  sim::SimAcceptor acceptor;
  Endpoint endpoint;
  std::stop_source stop;

 private:
  TaskScope scope_;
};

inline std::string request(std::string_view method, std::string_view fields, std::string_view body = {}) {
  std::string out(method);
  out.append(" /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: application/json, text/event-stream\r\n")
      .append(fields);
  if (!body.empty() || method == "POST")
    out.append("Content-Type: application/json\r\nContent-Length: ")
        .append(std::to_string(body.size()))
        .append("\r\n");
  return out.append("\r\n").append(body);
}

inline int status_of(std::string_view answer) {
  constexpr std::string_view version = "HTTP/1.1 ";
  return answer.starts_with(version) ? std::stoi(std::string(answer.substr(version.size(), 3))) : 0;
}

inline std::string field_of(std::string_view answer, std::string_view name) {
  const std::string line = "\r\n" + std::string(name) + ": ";
  const std::size_t begin = answer.find(line);
  if (begin == std::string_view::npos) return {};
  const std::size_t value = begin + line.size();
  return std::string(answer.substr(value, answer.find("\r\n", value) - value));
}

inline bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

inline constexpr std::string_view initialize =
    R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}}}})";

// Opens a legacy session and returns the header fields that name it.
inline std::string open_session(HttpWorld& world) {
  Peer peer = world.connect();
  const std::string answer = peer.send(request("POST", {}, initialize));
  return "MCP-Protocol-Version: 2025-11-25\r\nMcp-Session-Id: " + field_of(answer, "Mcp-Session-Id") + "\r\n";
}

inline std::string legacy_call(std::string_view id, std::string_view params) {
  return R"({"jsonrpc":"2.0","id":)" + std::string(id) + R"(,"method":"tools/call","params":)" +
         std::string(params) + "}";
}

// `params` lacks its closing brace.
inline std::string modern(std::string_view id, std::string_view method, std::string params) {
  if (params.back() != '{') params += ',';
  return R"({"jsonrpc":"2.0","id":)" + std::string(id) + R"(,"method":")" + std::string(method) +
         R"(","params":)" + params +
         R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
         R"("io.modelcontextprotocol/clientCapabilities":{"elicitation":{}},"progressToken":7}}})";
}

inline std::string modern_fields(std::string_view method, std::string_view name = {}) {
  std::string out = "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: " + std::string(method) + "\r\n";
  if (!name.empty()) out.append("Mcp-Name: ").append(name).append("\r\n");
  return out;
}

}  // namespace snapgen::streamable

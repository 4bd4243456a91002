#include "runtime/streamable/endpoint.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

#include "runtime/base/ascii.h"
#include "runtime/base/sentences.h"
#include "runtime/base/text.h"
#include "runtime/http/head.h"
#include "runtime/mcp/revision.h"
#include "runtime/mcp/rpc.h"
#include "runtime/seal/seal.h"
#include "runtime/streamable/cors.h"
#include "runtime/streamable/stateless_reply.h"
#include "runtime/transport/frame_splitter.h"

namespace snapgen::streamable {
namespace {

constexpr std::string_view session_field = "Mcp-Session-Id";
constexpr std::string_view version_field = "MCP-Protocol-Version";

using Kind = mcp::Message::Kind;

Task<Unit> nothing() { co_return Unit{}; }

http::Denial denial(int status, std::string sentence, const std::string& fields = {}) {
  return {.status = status, .fields = "Content-Type: text/plain\r\n" + fields, .body = std::move(sentence)};
}

void say(http::Connection& connection, const http::Denial& answer) {
  connection.write_response(answer.status, answer.fields, answer.body);
}

bool is_json(const http::RequestHead& head) {
  const std::string_view type = head.field("Content-Type");
  return equal_ignoring_case(type.substr(0, type.find_first_of("; \t")), "application/json");
}

// Whether the body is sent without a content coding such as compression.
bool is_plain(const http::RequestHead& head) {
  return std::ranges::all_of(head.fields, [](const http::Field& field) {
    return !equal_ignoring_case(field.name, "Content-Encoding") || field.value.empty() ||
           equal_ignoring_case(field.value, "identity");
  });
}

// The id of an event in an event stream, written as `request_stream-number`.
struct EventId {
  RequestStream request_stream = 0;
  std::uint64_t number = 0;
};

std::optional<EventId> event_id(std::string_view text) {
  EventId id;
  const char* end = text.data() + text.size();
  const auto request_stream = std::from_chars(text.data(), end, id.request_stream);
  if (request_stream.ec != std::errc() || request_stream.ptr == end || *request_stream.ptr != '-')
    return std::nullopt;
  const auto number = std::from_chars(request_stream.ptr + 1, end, id.number);
  if (number.ec != std::errc() || number.ptr != end) return std::nullopt;
  return id;
}

// Whether the request belongs to no session, because it names a modern revision or no session id. This
// includes a request whose body and header field name different revisions; header_mismatch_sentence() rejects
// it.
bool is_stateless(const http::RequestHead& head, const mcp::Message& message) {
  const std::string_view version = head.field(version_field);
  const std::optional<mcp::Revision> named = mcp::revision_named(version);
  if (named && mcp::is_modern(*named)) return true;
  const mcp::RequestMeta& meta = message.meta();
  const std::optional<std::string>& body = meta.protocol_version;
  // An initialize is answered even if its metadata names an unknown revision.
  const bool opens = message.method == "initialize" && body && !mcp::revision_named(*body);
  if (body && *body != version && !opens) return true;
  if (named || head.field_count(session_field) != 0) return false;
  return head.field_count(version_field) != 0 || body || meta.client_capabilities;
}

// Whether the batch contains a request, or a message that must be answered with an error.
bool has_request(const mcp::Message& batch) {
  mcp::Message message;
  return batch.batch.empty() || std::ranges::any_of(batch.batch, [&](std::string_view text) {
           message.read(text);
           return message.kind != Kind::notification && message.kind != Kind::response;
         });
}

}  // namespace

struct Endpoint::LegacySession {
  LegacySession(ReadyQueue& loop, ReplayBuffer& replay_buffer, std::string name)
      : name(std::move(name)),
        request_streams(loop),
        unasked(std::make_shared<EventStream>(0, std::string(), replay_buffer)) {
    request_streams.set_default_sink(*unasked);
  }
  // Drops finished streams without events to replay, and the oldest of the others if there are too many.
  void tidy() {
    constexpr std::size_t streams_kept = 64;
    std::size_t finished = 0;
    for (const auto& [request_stream, stream] : streams)
      finished += stream->is_over() && !stream->is_connected();
    for (auto each = streams.begin(); each != streams.end();) {
      const EventStream& stream = *each->second;
      const bool over = stream.is_over() && !stream.is_connected();
      const bool drop = over && (stream.retained_bytes() == 0 || finished > streams_kept);
      if (drop) --finished;
      each = drop ? streams.erase(each) : std::next(each);
    }
  }

  std::string name;
  RequestStreams request_streams;
  // HTTP handlers share ownership of the streams: one may be dropped here before its handler resumes.
  std::shared_ptr<EventStream> unasked;
  std::map<RequestStream, std::shared_ptr<EventStream>> streams;
  RequestStream last_stream = 0;
};

Endpoint::Endpoint(Loop& loop, mcp::Server& server, EndpointOptions options)
    : loop_(loop),
      server_(server),
      options_(std::move(options)),
      scope_(loop),
      heartbeat_scope_(loop),
      stateless_(loop),
      replay_buffer_(options_.replay_bytes_max) {
  Task<Unit> running = run_stateless();
  scope_.spawn(std::move(running));
  Task<Unit> beats = run_heartbeats();
  heartbeat_scope_.spawn(std::move(beats));
}

Endpoint::~Endpoint() = default;

std::string Endpoint::response_fields(const http::RequestHead& head) {
  return cors_fields(head, options_.access);
}

std::optional<http::Denial> Endpoint::deny(const http::RequestHead& head) {
  if (head.path() == options_.path)
    if (auto answer = preflight_answer(head, options_.access)) return answer;
  if (auto denied = access_denial(head, options_.access)) return denied;
  if (head.path() != options_.path) return denial(404, "The only path is " + options_.path + ".");
  if (head.method == "POST") {
    if (!http::accepts_media_type(head, "application/json") ||
        !http::accepts_media_type(head, "text/event-stream"))
      return denial(406, "Accept must list application/json and text/event-stream.");
    if (!is_json(head)) return denial(415, "Content-Type must be application/json.");
    if (!is_plain(head))
      return denial(415, "The body must be sent without Content-Encoding.", "Accept-Encoding: identity\r\n");
    // Reject a request for an unknown session before its body is read.
    const auto revision = mcp::revision_named(head.field(version_field));
    const bool names_session =
        head.field_count(session_field) != 0 && !(revision && mcp::is_modern(*revision));
    if (names_session) return session_fault(head);
  } else if (head.method != "GET" && head.method != "DELETE") {
    return denial(405, "The supported methods are POST, GET and DELETE.", "Allow: POST, GET, DELETE\r\n");
  }
  return std::nullopt;
}

Task<Unit> Endpoint::handle(http::Connection& connection, std::stop_token) {
  if (connection.head().method == "POST") return handle_post(connection);
  if (connection.head().method == "GET") return handle_get(connection);
  handle_delete(connection);
  return nothing();
}

Task<Unit> Endpoint::handle_post(http::Connection& connection) {
  std::string& body = connection.body();
  const std::size_t size = body.size();
  body.resize(size + FrameSplitter::padding);
  message_.read(std::string_view(body).substr(0, size));
  body.resize(size);
  const http::RequestHead& head = connection.head();
  if (is_stateless(head, message_)) return post_stateless(connection);
  if (head.field_count(session_field) == 0 && message_.kind == Kind::request &&
      message_.method == "initialize") {
    Result<std::shared_ptr<LegacySession>> session = open_session();
    if (session) return post_legacy(connection, *std::move(session));
    say(connection, denial(503, session.error().message));
    return nothing();
  }
  std::shared_ptr<LegacySession> session = session_of(connection);
  if (!session) return nothing();
  return post_legacy(connection, std::move(session));
}

Task<Unit> Endpoint::post_stateless(http::Connection& connection) {
  const http::RequestHead& head = connection.head();
  StatelessReply reply(connection, message_);
  if (message_.kind == Kind::broken || message_.kind == Kind::batch) {
    const bool batch = message_.kind == Kind::batch;
    reply.refuse(batch ? mcp::RpcCode::invalid_request : message_.code,
                 batch ? "Send each request separately, not in a batch." : message_.problem);
    co_return Unit{};
  }
  if (const std::optional<std::string> mismatch = header_mismatch_sentence(head, message_, server_)) {
    reply.refuse(mcp::RpcCode::header_mismatch, *mismatch);
    co_return Unit{};
  }
  if (message_.kind != Kind::request) {
    connection.write_response(202, {}, {});
    co_return Unit{};
  }
  const RequestStream request_stream = stateless_.add_request(std::move(connection.body()), reply);
  while (!reply.is_over() && !connection.is_peer_gone()) {
    connection.activity().reset();
    Result<Unit> done = co_await connection.activity().wait(std::stop_token());
    static_cast<void>(done);
  }
  // Closing the connection cancels a stateless request.
  if (!reply.is_over()) stateless_.drop_request(request_stream);
  co_return Unit{};
}

Task<Unit> Endpoint::post_legacy(http::Connection& connection, std::shared_ptr<LegacySession> session) {
  const bool wants_answer =
      message_.kind == Kind::request || message_.kind == Kind::batch || message_.kind == Kind::broken;
  if (!wants_answer) {
    session->request_streams.add_notification(std::move(connection.body()));
    connection.write_response(202, {}, {});
    co_return Unit{};
  }
  const bool holds_request = message_.kind != Kind::batch || has_request(message_);
  const bool opens = message_.kind == Kind::request && message_.method == "initialize";
  const auto revision = mcp::revision_named(connection.head().field(version_field));
  const bool primed = !opens && revision == mcp::newest_legacy_revision;
  const std::string fields =
      opens ? std::string(session_field) + ": " + session->name + "\r\n" : std::string();
  session->tidy();
  const auto stream = std::make_shared<EventStream>(++session->last_stream, fields, replay_buffer_);
  session->streams.emplace(session->last_stream, stream);
  if (!holds_request) stream->expect_no_answer();
  stream->send_answer_to(connection, primed);
  session->request_streams.add_request(std::move(connection.body()), *stream);
  while (stream->is_shown_by(connection) && !connection.is_peer_gone()) {
    connection.activity().reset();
    Result<Unit> done = co_await connection.activity().wait(std::stop_token());
    static_cast<void>(done);
  }
  // The connection has ended, but the client may reconnect, so the request continues.
  stream->detach_connection(connection);
  co_return Unit{};
}

Task<Unit> Endpoint::handle_get(http::Connection& connection) {
  const http::RequestHead& head = connection.head();
  if (head.field_count(session_field) == 0) {
    say(connection, denial(405, "GET needs the Mcp-Session-Id of a session.", "Allow: POST\r\n"));
    co_return Unit{};
  }
  std::shared_ptr<LegacySession> session = session_of(connection);
  if (!session) co_return Unit{};
  if (!http::accepts_media_type(head, "text/event-stream")) {
    say(connection, denial(406, "Accept must list text/event-stream."));
    co_return Unit{};
  }
  std::shared_ptr<EventStream> stream = session->unasked;
  std::uint64_t last_seen = stream->last_sent_event();
  if (const std::optional<EventId> id = event_id(head.field("Last-Event-ID"))) {
    const auto found = session->streams.find(id->request_stream);
    if (found != session->streams.end()) stream = found->second;
    if (id->request_stream == 0 || found != session->streams.end()) last_seen = id->number;
  }
  // The latest GET takes over the stream, because usually the previous connection has broken.
  stream->end_response();
  stream->send_events_to(connection, last_seen);
  connection.flush();
  // The stream may be closed at any time, because a client that reconnects gets what it missed.
  connection.set_idle_stream(stream == session->unasked);
  while (stream->is_shown_by(connection) && !connection.is_peer_gone() && !connection.is_evicted()) {
    connection.activity().reset();
    Result<Unit> done = co_await connection.activity().wait(std::stop_token());
    static_cast<void>(done);
  }
  connection.set_idle_stream(false);
  constexpr Millis back_after{5000};  // An earlier return would displace another peer.
  if (connection.is_evicted() && stream->is_shown_by(connection)) stream->disconnect_client(back_after);
  stream->detach_connection(connection);
  co_return Unit{};
}

void Endpoint::handle_delete(http::Connection& connection) {
  if (connection.head().field_count(session_field) == 0)
    return say(connection, denial(405, "DELETE needs the Mcp-Session-Id of a session.", "Allow: POST\r\n"));
  const std::shared_ptr<LegacySession> session = session_of(connection);
  if (!session) return;
  end_session(*session);
  connection.write_response(200, {}, {});
}

std::optional<http::Denial> Endpoint::session_fault(const http::RequestHead& head) const {
  if (head.field_count(session_field) != 1)
    return denial(400, "Mcp-Session-Id must name the session that initialize opened.");
  if (head.field_count(version_field) != 0 && !mcp::revision_named(head.field(version_field)))
    return denial(400, "MCP-Protocol-Version names a revision that this server does not know.");
  if (!sessions_.contains(head.field(session_field)))
    return denial(404, "Unknown session. Send initialize to open one.");
  return std::nullopt;
}

std::shared_ptr<Endpoint::LegacySession> Endpoint::session_of(http::Connection& connection) {
  const http::RequestHead& head = connection.head();
  if (const std::optional<http::Denial> fault = session_fault(head)) {
    say(connection, *fault);
    return nullptr;
  }
  const auto found = sessions_.find(head.field(session_field));
  sessions_by_use_.splice(sessions_by_use_.begin(), sessions_by_use_, found->second);
  return sessions_by_use_.front();
}

Result<std::shared_ptr<Endpoint::LegacySession>> Endpoint::open_session() {
  // A session that is opened after close() began would neither be ended nor waited for.
  if (closing_) return Error(ErrorCode::unavailable, std::string(shutting_down_sentence));
  constexpr std::size_t name_bytes = 16;
  std::string name = TRY(random_bytes(name_bytes));
  if (sessions_.size() >= options_.sessions_max) end_session(*sessions_by_use_.back());
  sessions_by_use_.push_front(std::make_shared<LegacySession>(loop_, replay_buffer_, hex(name)));
  std::shared_ptr<LegacySession> session = sessions_by_use_.front();
  sessions_.emplace(session->name, sessions_by_use_.begin());
  Task<Unit> running = run_session(session);
  scope_.spawn(std::move(running));
  return session;
}

Task<Unit> Endpoint::run_session(std::shared_ptr<LegacySession> session) {
  Task<Unit> serving = mcp::serve(loop_, session->request_streams, server_);
  Result<Unit> served = co_await std::move(serving);
  session->request_streams.finish();
  session->unasked->on_dropped();
  co_return served;
}

Task<Unit> Endpoint::run_stateless() {
  Task<Unit> serving = mcp::serve_stateless(loop_, stateless_, server_);
  Result<Unit> served = co_await std::move(serving);
  stateless_.finish();
  co_return served;
}

Task<Unit> Endpoint::run_heartbeats() {
  std::stop_token stop = heartbeat_scope_.stop();
  for (;;) {
    Result<Unit> passed = co_await Sleep(loop_, stop, options_.heartbeat_interval);
    if (!passed) co_return passed;
    stateless_.send_heartbeat();
    for (const std::shared_ptr<LegacySession>& session : sessions_by_use_)
      session->request_streams.send_heartbeat();
  }
}

void Endpoint::end_session(LegacySession& session) {
  const auto found = sessions_.find(session.name);
  if (found == sessions_.end()) return;
  const std::shared_ptr<LegacySession> legacy = *found->second;
  sessions_by_use_.erase(found->second);
  sessions_.erase(found);
  session.request_streams.end();
}

Task<Unit> Endpoint::close() {
  closing_ = true;
  while (!sessions_by_use_.empty()) end_session(*sessions_by_use_.back());
  stateless_.end();
  heartbeat_scope_.cancel();
  co_await heartbeat_scope_.join();
  co_await scope_.join();
  co_return Unit{};
}

namespace {

Task<Unit> close_when(Event& event, std::stop_token stop, Endpoint& endpoint) {
  Result<Unit> done = co_await event.wait(stop);
  static_cast<void>(done);
  Task<Unit> ending = endpoint.close();
  Result<Unit> ended = co_await std::move(ending);
  co_return ended;
}

}  // namespace

Task<Unit> serve(Loop& loop, Acceptor& acceptor, Endpoint& endpoint, const http::ServerLimits& limits,
                 std::stop_token stop) {
  // Sessions must end first, because connections wait for their answers.
  TaskScope closing(loop);
  Event stopped(loop);
  Task<Unit> ending = close_when(stopped, stop, endpoint);
  closing.spawn(std::move(ending));
  Task<Unit> serving = http::serve(loop, acceptor, endpoint, limits, stop);
  Result<Unit> served = co_await std::move(serving);
  stopped.set();
  co_await closing.join();
  co_return served;
}

}  // namespace snapgen::streamable

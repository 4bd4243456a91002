#include "tools/server/listeners/ui_listener.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "runtime/base/text.h"
#include "runtime/json/values.h"
#include "runtime/mcp/call.h"
#include "runtime/seal/seal.h"
#include "runtime/streamable/guard.h"
#include "schemas/ui/session.h"
#include "tools/app/work_history.h"
#include "tools/engine/base/encoding.h"
#include "tools/engine/operations/history/take_moment.h"
#include "tools/server/listeners/page_fields.h"
#include "tools/server/listeners/ui_assets.h"
#include "tools/server/listeners/ui_diff.h"

namespace snapgen::tools {
namespace {

constexpr std::size_t secret_bytes = 32;
constexpr std::size_t body_bytes_max = std::size_t{4} << 20;
constexpr std::size_t ui_connections_max = 256;

constexpr PageAsset assets[] = {{"/", "text/html; charset=utf-8", ui_assets::ui_html},
                                {"/ui.css", "text/css; charset=utf-8", ui_assets::ui_css},
                                {"/ui.js", "text/javascript; charset=utf-8", ui_assets::ui_js}};

constexpr std::string_view api_folder = "/api/";
constexpr std::string_view session_path = "/api/session";
constexpr std::string_view changes_path = "/api/changes";
constexpr std::string_view diff_path = "/api/history_diff";
constexpr std::string_view work_path = "/api/work";
// The only tools that the page can call.
constexpr std::array<std::string_view, 3> tool_names = {"history_list", "history_rewind", "history_undo"};

bool is_api_path(std::string_view path) {
  if (path == session_path || path == changes_path || path == diff_path || path == work_path) return true;
  return path.starts_with(api_folder) &&
         std::ranges::find(tool_names, path.substr(api_folder.size())) != tool_names.end();
}

http::Denial ui_denial(int status, std::string_view sentence, std::string_view more = {}) {
  return {.status = status, .fields = content_type("text/plain").append(more), .body = std::string(sentence)};
}

http::Denial used_link() {
  return ui_denial(401, "This link was used already. Run snap ui again for a new one.");
}

void write_json(http::Connection& connection, std::string_view text) {
  connection.write_response(200, content_type("application/json"), text);
}

void write_stopping(http::Connection& connection) {
  connection.write_response(503, content_type("text/plain"), "snap ui is ending.");
}

Task<Unit> nothing() { co_return Unit{}; }

// Returns the answer to a request for the work or a diff, as JSON. Blocks.
Result<std::string> answer_of(App& app, http::Connection& connection, const std::stop_token& stop) {
  if (connection.head().path() == work_path) {
    const std::string folder = TRY(app.workspace_folder());
    core::History history = TRY(read_work_history(folder));
    return json::to_json(work_of(std::move(history)));
  }
  const HistoryDiff diff = TRY(diff_for_page(app, connection.body(), stop));
  return json::to_json(diff);
}

// The context of a call that cannot ask the user and shows no progress.
class PageCall final : public mcp::Call {
 public:
  PageCall(Loop& loop, const mcp::Tool& tool, std::stop_token stop)
      : Call(loop, tool, mcp::newest_legacy_revision, std::move(stop)) {}

  void progress(double, std::optional<double>, std::string_view) override {}
  void log(mcp::LogLevel, std::string_view, std::string_view) override {}
};

// Appends the output or the error of a call as JSON.
class PageAnswer final : public mcp::AnswerRenderer {
 public:
  void append_output(const mcp::TypedAnswer& answer, std::string& result) override {
    result += answer.json();
  }
  void append_error(const Error& error, mcp::ErrorWriter write_error, std::string& result) override {
    write_error(result, error);
  }
};

}  // namespace

Result<std::unique_ptr<UiListener>> UiListener::open(Loop& loop, App& app, GuardedTools& tools,
                                                     std::uint16_t port) {
  std::unique_ptr<UiListener> listener(new UiListener(loop, app, tools));
  TRY(app.workspace());
  core::MomentTaker* taker = TRY(app.history());
  TRY(taker->log().prepare());
  listener->log_changes_ = TRY(taker->log().watch());
  const std::string token = TRY(random_bytes(secret_bytes));
  const std::string session = TRY(random_bytes(secret_bytes));
  listener->token_ = hex(token);
  listener->session_ = hex(session);
  listener->acceptor_ = TRY(loop.port().listen({.host = "127.0.0.1", .port = port}));
  return listener;
}

std::string UiListener::url() const { return streamable::url_of(acceptor_->address(), "/?token=" + token_); }

Task<Unit> UiListener::serve(std::stop_token stop) {
  http::ServerLimits limits;
  limits.connections_max = ui_connections_max;
  limits.connection.request.body_bytes_max = body_bytes_max;
  TaskScope watching(loop_, stop);
  Task<Unit> reporting = watch_log(watching.stop());
  watching.spawn(std::move(reporting));
  Task<Unit> serving = http::serve(loop_, *acceptor_, *this, limits, stop);
  Result<Unit> served = co_await std::move(serving);
  watching.cancel();
  co_await watching.join();
  co_return served;
}

std::string UiListener::response_fields(const http::RequestHead&) { return std::string(page_fields); }

std::optional<http::Denial> UiListener::deny(const http::RequestHead& head) {
  const std::string_view path = head.path();
  const bool is_api = is_api_path(path);
  streamable::AccessRules access;
  if (is_api) access.token = path == session_path ? token_ : session_;
  const bool is_used = is_api && access.token.empty();
  if (std::optional<http::Denial> denied = streamable::access_denial(head, access)) return denied;
  if (head.field_count("Origin") == 1 && !is_from_own_page(head))
    return ui_denial(403, "Only the page itself may send requests.");
  if (!is_api && !find_asset(assets, path)) return ui_denial(404, "Unknown page.");
  const std::string_view method = is_api && path != changes_path ? "POST" : "GET";
  if (head.method != method)
    return ui_denial(405, "This method is not allowed here.", "Allow: " + std::string(method) + "\r\n");
  if (is_used) return used_link();
  return std::nullopt;
}

Task<Unit> UiListener::handle(http::Connection& connection, std::stop_token stop) {
  const std::string_view path = connection.head().path();
  if (const PageAsset* asset = find_asset(assets, path)) {
    connection.write_response(200, content_type(asset->type), asset->text);
    return nothing();
  }
  if (path == changes_path) return send_changes(connection, std::move(stop));
  if (!json::valid_utf8(connection.body())) {
    connection.write_response(400, content_type("text/plain"), "The body is not UTF-8.");
    return nothing();
  }
  if (path == session_path) {
    begin_session(connection);
    return nothing();
  }
  if (path == diff_path || path == work_path) return send_answer(connection, std::move(stop));
  return call_tool(connection, *tools_.find(path.substr(api_folder.size())), std::move(stop));
}

void UiListener::begin_session(http::Connection& connection) {
  // Another request may have exchanged the token after deny().
  if (std::exchange(token_, {}).empty()) {
    const http::Denial denied = used_link();
    return connection.write_response(denied.status, denied.fields, denied.body);
  }
  const UiSession session{.session = session_, .workspace = core::text_of_bytes(*app_.workspace_folder())};
  write_json(connection, json::to_json(session));
}

Task<Unit> UiListener::call_tool(http::Connection& connection, const mcp::Tool& tool, std::stop_token stop) {
  PageCall call(loop_, tool, std::move(stop));
  PageAnswer answer;
  std::string text;
  Task<Unit> running = tools_.call_for(answer, tool, call, connection.body(), text);
  Result<Unit> done = co_await std::move(running);
  if (done)
    write_json(connection, text);
  else
    write_stopping(connection);
  co_return Unit{};
}

Task<Unit> UiListener::send_answer(http::Connection& connection, std::stop_token stop) {
  auto job = [&] { return answer_of(app_, connection, stop); };
  Result<std::string> answer = co_await Offload(loop_, stop, job);
  if (answer) {
    write_json(connection, *answer);
  } else if (stop.stop_requested()) {
    write_stopping(connection);
  } else {
    std::string text;
    tools_.error_writer (*tools_.find(tool_names.front()))(text, answer.error());
    write_json(connection, text);
  }
  co_return Unit{};
}

Task<Unit> UiListener::send_changes(http::Connection& connection, std::stop_token stop) {
  connection.begin_response(200, content_type("text/event-stream"));
  connection.flush();
  connection.set_idle_stream(true);
  streams_.insert(&connection);
  std::uint64_t sent = change_count_;
  while (!stop.stop_requested() && !connection.is_peer_gone() && !connection.is_evicted()) {
    connection.activity().reset();
    if (std::exchange(sent, change_count_) != change_count_) {
      connection.write_piece("data: changed\n\n");
      connection.flush();
    }
    Result<Unit> woken = co_await connection.activity().wait(stop);
    static_cast<void>(woken);
  }
  streams_.erase(&connection);
  connection.set_idle_stream(false);
  connection.end_response();
  co_return Unit{};
}

Task<Unit> UiListener::watch_log(std::stop_token stop) {
  for (;;) {
    Result<Unit> changed = co_await WaitReadable(loop_, stop, log_changes_.get());
    if (!changed) co_return Unit{};
    discard_input(log_changes_.get());
    ++change_count_;
    for (http::Connection* each : streams_) each->wake_waiter();
  }
}

}  // namespace snapgen::tools

#include "runtime/mcp/session.h"

#include <set>
#include <utility>

#include "runtime/json/proposal.h"
#include "runtime/json/reader.h"
#include "runtime/json/writer.h"
#include "runtime/mcp/tasks.h"

namespace snapgen::mcp {

namespace {

constexpr std::string_view version_key = "io.modelcontextprotocol/protocolVersion";
constexpr std::string_view capabilities_key = "io.modelcontextprotocol/clientCapabilities";

std::string lacks(std::string_view key) {
  return "params._meta lacks " + std::string(key) + ", which revision " +
         std::string(text(modern_revisions.back())) + " requires.";
}

}  // namespace

Session::Session(Loop& loop, Channel& channel, Server& server, std::stop_token stop, ClientCount clients)
    : loop_(loop),
      clients_(clients),
      channel_(channel),
      server_(server),
      limits_(server.parts_.options.limits),
      scope_(loop, std::move(stop)),
      work_(loop),
      capacity_freed_(loop),
      outbox_(channel, work_, limits_.unsent_bytes_max),
      pending_requests_(loop, outbox_, *this, limits_.retained_buffer_bytes_max, clients),
      subscriptions_(outbox_, [&server] { server.report_subscribed(); }),
      client_requests_(outbox_),
      backlog_(limits_.queued_requests_bytes_max) {
  server_.sessions_.push_back(this);
  server_.ensure_tasks(loop);
}

Session::~Session() {
  std::erase(server_.sessions_, this);
  std::set<std::string> uris;
  subscriptions_.collect_watched_uris(uris);
  if (!uris.empty()) server_.report_subscribed();
}

Task<Unit> Session::run() {
  Task<Unit> attendant = handle_events();
  scope_.spawn(std::move(attendant));
  bool open = true;
  while (open) {
    Frame frame;
    outbox_.set_reading(true);
    while (open && channel_.next(frame)) {
      receive(frame);
      if (!outbox_.is_backlogged()) continue;
      outbox_.set_reading(false);
      Task<bool> waiting = drain();
      Result<bool> drained = co_await std::move(waiting);
      open = drained && *drained;
      outbox_.set_reading(true);
    }
    outbox_.set_reading(false);
    channel_.flush();
    update_channel_busy();
    if (!open) break;
    Task<bool> waiting = channel_.wait(scope_.stop());
    Result<bool> more = co_await std::move(waiting);
    open = more && *more;
  }
  Task<Unit> ending = shutdown();
  Result<Unit> ended = co_await std::move(ending);
  co_return ended;
}

namespace {

Task<Unit> run_connection(Loop& loop, Channel& channel, Server& server, std::stop_token stop,
                          ClientCount clients) {
  Session session(loop, channel, server, std::move(stop), clients);
  Task<Unit> run = session.run();
  Result<Unit> outcome = co_await std::move(run);
  co_return outcome;
}

}  // namespace

Task<Unit> Session::serve(Loop& loop, Channel& channel, Server& server, std::stop_token stop,
                          ClientCount clients) {
  Task<Unit> running = run_connection(loop, channel, server, std::move(stop), clients);
  Result<Unit> outcome = co_await std::move(running);
  if (!server.tasks_ || !server.sessions_.empty()) co_return outcome;
  // The last connection has ended, so no client can poll the tasks any more.
  const std::unique_ptr<Tasks> tasks = std::move(server.tasks_);
  Task<Unit> ending = tasks->end_all();
  Result<Unit> ended = co_await std::move(ending);
  static_cast<void>(ended);
  co_return outcome;
}

void Session::receive(const Frame& frame) {
  request_stream_ = frame.request_stream;
  if (frame.kind == Frame::Kind::client_gone) return drop_request(frame.request_stream);
  if (frame.kind == Frame::Kind::oversize)
    return outbox_.send_error({.request_stream = request_stream_}, RpcCode::invalid_request,
                              "The message exceeds the server's size limit.");
  message_.read(frame.text);
  if (message_.kind == Message::Kind::batch) return receive_batch();
  receive_message(nullptr);
}

void Session::drop_request(RequestStream request_stream) {
  if (PendingRequest* pending = pending_requests_.find(request_stream))
    return pending_requests_.cancel(*pending);
  subscriptions_.cancel(request_stream);
}

void Session::receive_batch() {
  if (legacy_revision_ != Revision::v2025_03_26)
    return outbox_.send_error({.request_stream = request_stream_}, RpcCode::invalid_request,
                              "Only revision 2025-03-26 has batches. Send each message separately.");
  const std::vector<std::string_view> messages = std::exchange(message_.batch, {});
  if (messages.empty())
    return outbox_.send_error({.request_stream = request_stream_}, RpcCode::invalid_request,
                              "The batch is empty.");
  auto batch = std::make_shared<Batch>();
  batch->request_stream = request_stream_;
  for (const std::string_view text : messages) {
    message_.read(text);
    receive_message(batch);
  }
  outbox_.finish_request_in(*batch);
}

void Session::receive_message(const std::shared_ptr<Batch>& batch) {
  const ReplyTo reply_to{.id = message_.id, .batch = batch.get(), .request_stream = request_stream_};
  switch (message_.kind) {
    case Message::Kind::response: return client_requests_.receive_response(message_);
    case Message::Kind::notification: return handle_notification();
    case Message::Kind::broken:
      if (batch) ++batch->open_request_count;
      return outbox_.send_error(reply_to, message_.code, message_.problem);
    case Message::Kind::batch:
      ++batch->open_request_count;
      return outbox_.send_error(reply_to, RpcCode::invalid_request, "A batch must not contain batches.");
    case Message::Kind::request: break;
  }
  if (batch) ++batch->open_request_count;
  if (clients_ == ClientCount::one &&
      (pending_requests_.find(message_.id) || subscriptions_.has(message_.id) || backlog_.has(message_.id)))
    return outbox_.send_error(reply_to, RpcCode::invalid_request,
                              "A request with the id " + json::shortened(std::string(message_.id)) +
                                  " is still in progress. Use an id that is not in use.");
  const std::optional<Revision> revision = choose_revision(reply_to);
  if (!revision) return;
  const Request request{.revision = *revision, .batch = batch, .reply_to = reply_to};
  // While the backlog is not empty, new requests are queued too, so that they are answered in order of
  // arrival.
  if ((is_full() || !backlog_.empty()) && may_suspend(request)) return enqueue(request);
  answer(request);
}

void Session::handle_notification() {
  if (message_.method != "notifications/cancelled") return;
  json::Reader in(message_.params);
  std::string_view id;
  if (!in.begin_object()) return;
  std::string_view key;
  while (in.next_key(key)) {
    if (key == "requestId") {
      if (!id.empty()) return;  // With two ids, it is ambiguous which is meant.
      in.raw(id);
    } else {
      in.skip();
    }
  }
  if (PendingRequest* pending = pending_requests_.find(id)) return pending_requests_.cancel(*pending);
  if (subscriptions_.cancel(id)) return;
  const std::optional<Backlog::Entry> held = backlog_.take(id);
  if (held && held->batch) return outbox_.finish_request_in(*held->batch);
  if (held) outbox_.report_unanswered(held->request_stream);
}

std::optional<Revision> Session::choose_revision(const ReplyTo& reply_to) {
  const RequestMeta& meta = message_.meta();
  const Revision legacy = legacy_revision_.value_or(newest_legacy_revision);
  const bool claims = meta.protocol_version || meta.client_capabilities || meta.client_info || meta.log_level;
  if (clients_ == ClientCount::one && message_.method == "initialize" &&
      !(meta.protocol_version && meta.client_capabilities &&
        revision_named(*meta.protocol_version).has_value()))
    return legacy;
  if (!message_.meta_problem.empty()) {
    outbox_.send_error(reply_to, RpcCode::invalid_params, message_.meta_problem);
    return std::nullopt;
  }
  if (!claims && clients_ == ClientCount::one) {
    const bool needed = !legacy_revision_ && method_named(message_.method, false) == Method::unknown &&
                        method_named(message_.method, true) != Method::unknown;
    if (!needed) return legacy;
  }
  if (!meta.protocol_version) {
    outbox_.send_error(reply_to, RpcCode::invalid_params, lacks(version_key));
    return std::nullopt;
  }
  const std::optional<Revision> revision = revision_named(*meta.protocol_version);
  if (!revision || !is_modern(*revision)) {
    const std::string data = "{\"requested\":" + json::quoted(*meta.protocol_version) +
                             ",\"supported\":" + server_.supported_revisions_ + "}";
    outbox_.send_error(reply_to, RpcCode::unsupported_version, "Unsupported protocol version.", data);
    return std::nullopt;
  }
  if (!meta.client_capabilities) {
    outbox_.send_error(reply_to, RpcCode::invalid_params, lacks(capabilities_key));
    return std::nullopt;
  }
  if (reply_to.batch) {
    outbox_.send_error(reply_to, RpcCode::invalid_request,
                       "Send each request separately: only revision 2025-03-26 has batches.");
    return std::nullopt;
  }
  return revision;
}

bool Session::is_repetition(const Request& request) const {
  if (!is_modern(request.revision) || message_.request_state.empty()) return false;
  return can_be_repeated(method_named(message_.method, true));
}

void Session::answer(const Request& request) {
  if (is_repetition(request)) return resume(request);
  switch (method_named(message_.method, is_modern(request.revision))) {
    case Method::unknown: return send_unknown_method(request);
    case Method::call_tool: return call_tool(request);
    case Method::list_tools: return list_tools(request);
    case Method::discover: return send_result(request, server_.discover_members_);
    case Method::listen: return listen(request);
    case Method::initialize: return initialize(request);
    case Method::ping: return send_empty_result(request);
    case Method::set_level: return set_level(request);
    case Method::list_resources: return list_resources(request);
    case Method::list_resource_templates: return list_resource_templates(request);
    case Method::read_resource: return read_resource(request);
    case Method::list_skills: return list_skills(request);
    case Method::get_skill: return get_skill(request);
    case Method::read_directory: return read_directory(request);
    case Method::subscribe: return subscribe(request, true);
    case Method::unsubscribe: return subscribe(request, false);
    case Method::list_prompts: return list_prompts(request);
    case Method::get_prompt: return get_prompt(request);
    case Method::complete: return complete(request);
    case Method::get_task:
    case Method::update_task:
    case Method::cancel_task: return answer_task_request(request, method_named(message_.method, true));
  }
}

void Session::call_tool(const Request& request) {
  if (!server_.parts_.tools) return send_unknown_method(request);
  if (!message_.has_name) return send_invalid_params(request, "params.name must be the name of a tool.");
  const Tool* tool = server_.catalog_.find(message_.name);
  if (!tool) return send_invalid_params(request, server_.catalog_.unknown_tool_sentence(message_.name));
  const std::optional<bool> task = decide_task(request, *tool);
  if (!task) return;
  PendingRequest& pending = begin_request(request, *tool);
  pending.may_become_task = *task;
  start_handler(
      pending, server_.parts_.tools->call(*tool, pending.call(), message_.arguments, pending.result_members));
}

std::optional<bool> Session::decide_task(const Request& request, const Tool& tool) {
  if (tool.task == TaskUse::never || !server_.tasks_) return false;
  const bool able = abilities(request.revision).tasks;
  if (able && !server_.tasks_->is_full()) return true;
  if (tool.task == TaskUse::optional) return false;
  if (able) {
    outbox_.send_error(request.reply_to, RpcCode::internal_error,
                       "The server has reached its limit of tasks. Try again later.");
  } else if (is_modern(request.revision)) {
    const std::string data = "{\"requiredCapabilities\":" + std::string(tasks_capability) + "}";
    outbox_.send_error(request.reply_to, RpcCode::missing_capability,
                       "The tool runs only as a task, and the client did not declare support for tasks.",
                       data);
  } else {
    outbox_.send_error(
        request.reply_to, RpcCode::method_not_found,
        "The tool runs only as a task, which revision " + std::string(text(Revision::v2026_07_28)) + " has.");
  }
  return std::nullopt;
}

void Session::answer_undeclared_list(const Request& request, std::string_view member) {
  if (is_modern(request.revision) || !server_.parts_.options.answers_undeclared_lists)
    return send_unknown_method(request);
  send_result(request, "\"" + std::string(member) + "\":[]");
}

void Session::send_unknown_method(const Request& request) {
  constexpr std::size_t shown_max = 100;
  const bool short_enough = message_.method.size() <= shown_max;
  outbox_.send_error(
      request.reply_to, RpcCode::method_not_found,
      short_enough ? "Unknown method " + json::quoted(message_.method) + "." : "Unknown method.");
}

void Session::send_result(const Request& request, std::string_view members) {
  outbox_.send_result(request.reply_to, server_.result_prefix(request.revision), members);
}

void Session::send_empty_result(const Request& request) {
  if (!is_modern(request.revision)) return send_result(request, {});
  outbox_.send_result(request.reply_to, server_.input_required_prefix_, "\"resultType\":\"complete\"");
}

void Session::send_cacheable_result(const Request& request, std::string_view members) {
  if (!is_modern(request.revision)) return send_result(request, members);
  send_result(request, server_.cache_hint_members_ + std::string(members));
}

void Session::send_invalid_params(const Request& request, std::string_view sentence) {
  outbox_.send_error(request.reply_to, RpcCode::invalid_params, sentence);
}

void Session::send_violation(const Request& request, const json::Violation& violation) {
  send_invalid_params(request, "params" + violation.pointer + ": " + violation.message);
}

std::optional<LogLevel> Session::log_threshold(Revision revision) const {
  if (!server_.parts_.options.logging) return std::nullopt;
  if (!is_modern(revision)) return log_level_.value_or(server_.parts_.options.log_level);
  if (!message_.meta().log_level) return std::nullopt;
  return static_cast<LogLevel>(*message_.meta().log_level);
}

PendingRequest& Session::begin_request(const Request& request, const Tool& tool) {
  PendingRequest& pending = pending_requests_.acquire();
  pending.begin(tool, request.revision, message_, request.batch, request.reply_to.request_stream,
                log_threshold(request.revision), abilities(request.revision));
  pending.set_client_name(client_name(request.revision));
  return pending;
}

void Session::update_channel_busy() {
  channel_.set_busy(pending_requests_.waiting_count() != 0 || !backlog_.empty());
}

Task<bool> Session::drain() { return channel_.wait_drained(limits_.unsent_bytes_max / 2, scope_.stop()); }

void Session::start_handler(PendingRequest& pending, Task<Unit> task) {
  if (task.start()) return finish(pending, *task.result());
  pending_requests_.add_suspended(pending);
  ensure_heartbeats(pending);
  if (!pending.is_asking) set_deadline(pending);
  if (pending.may_become_task) {
    ++background_call_count_;
    server_.tasks_->run(pending, std::move(task));
    return make_task_later(pending);
  }
  Task<Unit> following = await_handler(pending, std::move(task));
  scope_.spawn(std::move(following));
}

void Session::set_deadline(PendingRequest& pending) {
  const std::uint32_t deadline_ms = pending.call().tool().deadline_ms;
  if (deadline_ms != 0) pending.set_deadline(Millis(deadline_ms), late_requests_, work_);
}

void Session::ensure_heartbeats(const PendingRequest& pending) {
  if (is_sending_heartbeats_ || !pending.reports_progress()) return;
  is_sending_heartbeats_ = true;
  Task<Unit> beats = run_heartbeats();
  scope_.spawn(std::move(beats));
}

Task<Unit> Session::run_heartbeats() {
  std::stop_token stop = scope_.stop();
  do {
    // Each call of send_heartbeat() reports the calls that were silent since the previous one, so it is
    // called twice per interval.
    Result<Unit> passed = co_await Sleep(loop_, stop, limits_.heartbeat_interval / 2);
    if (!passed) co_return passed;
    is_sending_heartbeats_ = pending_requests_.send_heartbeat();
  } while (is_sending_heartbeats_);
  co_return Unit{};
}

Task<Unit> Session::await_handler(PendingRequest& pending, Task<Unit> task) {
  Result<Unit> outcome = co_await std::move(task);
  finish(pending, outcome);
  co_return Unit{};
}

void Session::finish(PendingRequest& pending, const Result<Unit>& outcome) {
  if (!pending.has_responded()) {
    pending.mark_responded();
    if (const std::optional<RequestError> failure = pending.failure(outcome)) {
      outbox_.send_error(pending.reply_to(), failure->code, failure->sentence, failure->data);
    } else {
      outbox_.send_result(pending.reply_to(), server_.result_prefix(pending.call().revision()),
                          pending.result_members);
    }
  }
  const bool waited = pending.is_handler_waiting();
  if (pending.may_become_task && waited) --background_call_count_;
  pending_requests_.recycle(pending);
  if (waited) update_channel_busy();
  capacity_freed_.set();
}

Task<Unit> Session::handle_events() {
  std::stop_token stop = scope_.stop();
  for (;;) {
    work_.reset();
    Result<Unit> done = co_await work_.wait(stop);
    if (!done) co_return done;
    end_late_calls();
    update_channel_busy();
    channel_.flush();
  }
}

void Session::end_late_calls() {
  for (PendingRequest* pending : std::exchange(late_requests_, {})) {
    if (pending->optional_questions != nullptr) {
      pending->optional_questions->fail_open_questions(
          Error(ErrorCode::unavailable, "The client did not answer the server's request. Call again."));
      continue;
    }
    if (pending->is_asking) fail_unanswered_call(*pending);
    if (pending->has_responded()) continue;
    const Tool& tool = pending->call().tool();
    const Error error(ErrorCode::unavailable, deadline_exceeded_sentence(tool));
    std::string members;
    server_.parts_.tools->append_unfinished_result(tool, pending->call().client_name(), error, members);
    pending->mark_responded();
    outbox_.send_result(pending->reply_to(), server_.result_prefix(pending->call().revision()), members);
    pending_requests_.cancel(*pending);
  }
}

Task<Unit> Session::shutdown() {
  subscriptions_.end_all(server_.subscription_end_prefix_);
  server_.unanswered_count_ += pending_requests_.waiting_count() + backlog_.size();
  pending_requests_.stop_all_unanswered();
  backlog_.clear();
  scope_.cancel();
  co_await scope_.join();
  while (background_call_count_ != 0) {
    capacity_freed_.reset();
    Result<Unit> done = co_await capacity_freed_.wait(std::stop_token());
    static_cast<void>(done);
  }
  channel_.flush();
  if (channel_.unsent_bytes() == 0) co_return Unit{};
  std::stop_source over;
  std::stop_token over_token = over.get_token();
  TaskScope time_limit(loop_);
  Task<Unit> giving_up = give_up(limits_.shutdown_timeout, over, time_limit.stop());
  time_limit.spawn(std::move(giving_up));
  Task<bool> draining = channel_.wait_drained(0, over_token);
  Result<bool> drained = co_await std::move(draining);
  static_cast<void>(drained);
  time_limit.cancel();
  co_await time_limit.join();
  co_return Unit{};
}

Task<Unit> Session::give_up(Millis after, std::stop_source& over, std::stop_token stop) {
  Result<Unit> passed = co_await Sleep(loop_, stop, after);
  if (passed) over.request_stop();
  co_return Unit{};
}

void Session::announce_list_changed(ListKind change) {
  subscriptions_.announce_list_changed(change, legacy_revision_.has_value());
}

}  // namespace snapgen::mcp

#include "runtime/mcp/session.h"

#include <set>
#include <utility>

#include "runtime/mcp/tasks.h"

namespace snapgen::mcp {

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
    Result<Unit> came = co_await work_.wait(stop);
    if (!came) co_return came;
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
    Result<Unit> came = co_await capacity_freed_.wait(std::stop_token());
    static_cast<void>(came);
  }
  channel_.flush();
  if (channel_.unsent_bytes() == 0) co_return Unit{};
  std::stop_source over;
  std::stop_token over_token = over.get_token();
  TaskScope patience(loop_);
  Task<Unit> giving_up = give_up(limits_.shutdown_timeout, over, patience.stop());
  patience.spawn(std::move(giving_up));
  Task<bool> draining = channel_.wait_drained(0, over_token);
  Result<bool> drained = co_await std::move(draining);
  static_cast<void>(drained);
  patience.cancel();
  co_await patience.join();
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

void Session::announce_task_changed(std::string_view id, std::string_view members) {
  subscriptions_.announce_task_changed(id, members);
}

void Session::announce_resource_changed(std::string_view uri) {
  subscriptions_.announce_resource_changed(uri);
}

}  // namespace snapgen::mcp

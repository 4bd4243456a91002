#include "runtime/mcp/session.h"

#include <utility>

namespace snapgen::mcp {

Session::Session(Loop& loop, Channel& channel, Server& server, std::stop_token stop, Clients clients)
    : loop_(loop),
      clients_(clients),
      channel_(channel),
      server_(server),
      limits_(server.parts_.options.limits),
      scope_(loop, std::move(stop)),
      work_(loop),
      room_(loop),
      outbox_(channel, work_, limits_.unsent_bytes),
      exchanges_(loop, outbox_, *this, limits_.answer_kept_bytes, clients),
      subscriptions_(outbox_),
      inquiries_(outbox_) {
  server_.sessions_.push_back(this);
}

Session::~Session() { std::erase(server_.sessions_, this); }

Task<Unit> Session::run() {
  Task<Unit> attendant = attend();
  scope_.spawn(std::move(attendant));
  bool open = true;
  while (open) {
    Frame frame;
    outbox_.reading(true);
    while (open && channel_.next(frame)) {
      receive(frame);
      if (!crowded()) continue;
      outbox_.reading(false);
      Task<Unit> waiting = make_room();
      Result<Unit> room = co_await std::move(waiting);
      open = static_cast<bool>(room);
      outbox_.reading(true);
    }
    outbox_.reading(false);
    channel_.flush();
    if (!open) break;
    Task<bool> waiting = channel_.wait(scope_.stop());
    Result<bool> more = co_await std::move(waiting);
    open = more && *more;
  }
  Task<Unit> ending = farewell();
  Result<Unit> ended = co_await std::move(ending);
  co_return ended;
}

bool Session::crowded() const {
  // Of many clients none waits for another: whoever brought their requests has limits for each.
  if (clients_ == Clients::many) return false;
  return exchanges_.waiting() >= limits_.requests_in_flight || outbox_.crowded();
}

Task<Unit> Session::make_room() {
  channel_.flush();
  std::stop_token stop = scope_.stop();
  while (exchanges_.waiting() >= limits_.requests_in_flight) {
    room_.reset();
    Result<Unit> came = co_await room_.wait(stop);
    if (!came) co_return came;
  }
  if (outbox_.crowded()) {
    Task<bool> waiting = channel_.drained(limits_.unsent_bytes / 2, stop);
    Result<bool> drained = co_await std::move(waiting);
    if (!drained || !*drained) co_return cancelled_error();
  }
  co_return Unit{};
}

void Session::start(Exchange& exchange, Task<Unit> task) {
  if (task.start()) return finish(exchange, *task.result());
  exchanges_.enlist(exchange);
  if (!exchange.asks) arm(exchange);
  Task<Unit> following = follow(exchange, std::move(task));
  scope_.spawn(std::move(following));
}

void Session::arm(Exchange& exchange) {
  const std::uint32_t deadline_ms = exchange.call().tool().deadline_ms;
  if (deadline_ms != 0) exchange.arm(Millis(deadline_ms), late_, work_);
}

Task<Unit> Session::follow(Exchange& exchange, Task<Unit> task) {
  Result<Unit> outcome = co_await std::move(task);
  finish(exchange, outcome);
  room_.set();
  co_return Unit{};
}

void Session::finish(Exchange& exchange, const Result<Unit>& outcome) {
  if (!exchange.settled()) {
    exchange.settle();
    const Revision revision = exchange.call().revision();
    // A failed call's result ends so, see ToolSet::call(). One that got by without asking is no failure.
    const bool failed = !outcome || exchange.answer.ends_with(",\"isError\":true");
    if (failed && !exchange.lacking.empty() && is_modern(revision)) {
      const std::string data = "{\"requiredCapabilities\":" + std::string(exchange.lacking) + "}";
      outbox_.error(exchange.asker(), RpcCode::missing_capability,
                    "The request needs a capability that the client did not declare.", data);
    } else if (outcome) {
      outbox_.result(exchange.asker(), server_.frame(revision), exchange.answer);
    } else {
      const Error& error = outcome.error();
      RpcCode code = RpcCode::internal_error;
      if (error.code == ErrorCode::not_found) code = exchange.not_found;
      if (error.code == ErrorCode::invalid_argument) code = RpcCode::invalid_params;
      outbox_.error(exchange.asker(), code, error.message, error.details);
    }
  }
  exchanges_.give_back(exchange);
}

Task<Unit> Session::attend() {
  std::stop_token stop = scope_.stop();
  for (;;) {
    work_.reset();
    Result<Unit> came = co_await work_.wait(stop);
    if (!came) co_return came;
    end_late_calls();
    channel_.flush();
  }
}

void Session::end_late_calls() {
  for (Exchange* exchange : std::exchange(late_, {})) {
    if (exchange->asks) give_up_answer(*exchange);
    if (exchange->settled()) continue;
    const Tool& tool = exchange->call().tool();
    const std::string limit = std::to_string(tool.deadline_ms) + " ms";
    const Error error(ErrorCode::unavailable,
                      std::string(tool.safe_name) + " took longer than " + limit + " and was stopped.");
    std::string members;
    server_.parts_.tools->fail(tool, error, members);
    exchange->settle();
    outbox_.result(exchange->asker(), server_.frame(exchange->call().revision()), members);
    exchanges_.cancel(*exchange);
  }
}

Task<Unit> Session::farewell() {
  subscriptions_.end_all(server_.closing_frame_);
  exchanges_.abandon();
  scope_.cancel();
  co_await scope_.join();
  channel_.flush();
  if (channel_.unsent() == 0) co_return Unit{};
  std::stop_source over;
  std::stop_token over_token = over.get_token();
  Scope patience(loop_);
  Task<Unit> giving_up = give_up(limits_.farewell, over, patience.stop());
  patience.spawn(std::move(giving_up));
  Task<bool> draining = channel_.drained(0, over_token);
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

void Session::list_changed(Change change) { subscriptions_.list_changed(change, legacy_.has_value()); }

void Session::resource_changed(std::string_view uri) { subscriptions_.resource_changed(uri); }

}  // namespace snapgen::mcp

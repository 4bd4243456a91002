#include "tools/bridge/hub.h"

#include <algorithm>
#include <utility>

#include "runtime/json/values.h"
#include "schemas/bridge/cancel.h"
#include "tools/bridge/failures.h"
#include "tools/bridge/permissions.h"

namespace snapgen::tools::bridge {
namespace {

constexpr std::size_t past_commands_max = 20;
constexpr std::size_t event_bytes_max = std::size_t{4} << 20;
constexpr Millis retry_pause{250};

bool may_pass(BridgeFailureCode code) {
  return code == BridgeFailureCode::snap_not_loaded || code == BridgeFailureCode::execution_timeout ||
         code == BridgeFailureCode::connection_lost;
}

// Clock sets an event once, after some time.
struct Clock final : Alarm {
  Clock(Port& port, Event& event, std::int64_t after_ms) : port(port), event(event) {
    port.start(*this, Millis(std::max<std::int64_t>(after_ms, 0)));
  }
  Clock(Clock&&) = delete;
  ~Clock() { port.cancel(*this); }
  void ring() override { event.set(); }
  Port& port;
  Event& event;
};

// Returns the error of a command that ended without an answer that can be read; nullopt if it has one.
// `message_bytes_max` is the limit of an answer.
std::optional<Error> error_of_unanswered(const PendingCommand& pending, const Request& request,
                                         std::size_t message_bytes_max) {
  switch (pending.end) {
    case PendingCommand::End::late:
      return failure(BridgeFailureCode::execution_timeout,
                     "The browser did not answer within " + std::to_string(request.timeout_ms) +
                         " ms, so it is unknown whether the command ran.");
    case PendingCommand::End::lost:
      return failure(BridgeFailureCode::connection_lost,
                     "The browser disconnected, so it is unknown whether the command ran.");
    case PendingCommand::End::oversize:
      return failure(BridgeFailureCode::memory_limit,
                     "The browser's answer has " + std::to_string(pending.answer_bytes) +
                         " bytes; a message may have " + std::to_string(message_bytes_max) +
                         ". The command may have run.",
                     {}, {"Request less, such as one sprite or no media, or a compressed export."});
    case PendingCommand::End::none:
    case PendingCommand::End::answered: break;
  }
  return std::nullopt;
}

}  // namespace

Result<std::unique_ptr<Hub>> Hub::create(Loop& loop, const Log& log, HubOptions options) {
  std::unique_ptr<Signer> signer = TRY(Signer::create(options.token_secret));
  options.token_secret.assign(options.token_secret.size(), '\0');
  options.token_secret.clear();
  return std::unique_ptr<Hub>(new Hub(loop, log, std::move(options), std::move(signer)));
}

Hub::Hub(Loop& loop, const Log& log, HubOptions options, std::unique_ptr<Signer> signer)
    : loop_(loop),
      log_(log),
      options_(std::move(options)),
      pairings_(std::move(signer), options_.limits.token_lifetime_ms, options_.limits.code_tries),
      events_(static_cast<std::size_t>(options_.limits.max_events), event_bytes_max),
      changed_(loop),
      event_arrived_(loop) {}

Hub::~Hub() {
  for (auto& [id, session] : sessions_) loop_.port().cancel(*session);
}

Session* Hub::find(std::string_view id) {
  const auto found = sessions_.find(id);
  return found == sessions_.end() ? nullptr : found->second.get();
}

Result<core::Pairing> Hub::pair(core::Permissions permissions) {
  Result<core::Pairing> made = pairings_.issue(permissions, false, options_.clock());
  changed_.set();
  return made;
}

Result<Unit> Hub::request_pairing() {
  for (const core::Pairings::UsablePairing& each : pairings_.open_pairings(options_.clock()))
    if (each.requested_by_page && !each.code.empty()) return Unit{};
  TRY(pairings_.issue(default_permissions, true, options_.clock()));
  log_.write(Severity::warning, "A browser asks to be paired: bridge_status shows its code.");
  changed_.set();
  return Unit{};
}

Error Hub::no_browser_error() const {
  return failure(BridgeFailureCode::no_browser, "No browser is connected to the bridge.", {},
                 {"Call bridge_pair and give its code to the user, who enters it in the extension in the "
                  "browser where Snap! is open. Then call again."});
}

Result<Session*> Hub::choose_session(const Request& request) {
  if (request.session_id) {
    Session* named = find(*request.session_id);
    if (named) return named;
    return failure(BridgeFailureCode::no_browser, "There is no session " + *request.session_id + ".", {},
                   {"bridge_status lists the sessions. Without session_id the call uses the browser that "
                    "connected last."});
  }
  Session* best = nullptr;
  for (const auto& [id, each] : sessions_) {
    const bool is_better = !best || (each->connection != nullptr) > (best->connection != nullptr) ||
                           ((each->connection != nullptr) == (best->connection != nullptr) &&
                            each->connection_number > best->connection_number);
    if (is_better) best = each.get();
  }
  if (best) return best;
  if (pairings_.open_pairings(options_.clock()).empty()) return no_browser_error();
  return nullptr;
}

std::optional<Error> Hub::request_refusal(Session& session, const Request& request) {
  const core::Permissions missing = request.permissions & ~session.permissions;
  if (missing != 0) {
    std::string names;
    for (const BridgePermission each : permissions_in(missing))
      names += (names.empty() ? "" : ", ") + std::string(text(each));
    return failure(BridgeFailureCode::permission_denied,
                   "This browser was paired without the permission " + names + ".", {},
                   {"Ask the user, then pair again with bridge_pair and name the permissions."});
  }
  const core::TokenBucket::TakeResult taken = session.command_bucket.take(request.count, options_.clock());
  if (taken.ok) return std::nullopt;
  if (!taken.retry_after_ms)
    return failure(BridgeFailureCode::rate_limit,
                   "The call has more commands than the limit allows. Send them in several calls.");
  const std::string after = std::to_string(*taken.retry_after_ms);
  return failure(BridgeFailureCode::rate_limit, "Too many commands. Wait for " + after + " ms.",
                 "{\"retry_after_ms\":" + after + "}");
}

Task<Reply> Hub::ask(const Request& request, std::string& sent_to, std::stop_token stop) {
  const double begin = core::steady_ms();
  for (std::int64_t attempts = 1;; ++attempts) {
    const std::int64_t deadline = options_.clock() + request.timeout_ms;
    Task<Attempt> trying = attempt(request, sent_to, deadline, stop);
    Result<Attempt> tried = co_await std::move(trying);
    if (!tried) co_return std::move(tried).error();
    if (Reply* reply = std::get_if<Reply>(&*tried)) {
      reply->attempts = attempts;
      co_return std::move(*reply);
    }
    Error& error = std::get<Error>(*tried);
    const BridgeFailureCode code = code_of(error);
    if (!request.may_retry || !may_pass(code) || attempts >= options_.limits.attempts) {
      const std::optional<std::string> named = sent_to.empty() ? request.session_id : sent_to;
      record_command(request, named, core::steady_ms() - begin, std::string(text(code)));
      co_return std::move(error);
    }
    Result<Unit> slept = co_await Sleep(loop_, stop, retry_pause);
    if (!slept) co_return slept.error();
  }
}

Task<Hub::Attempt> Hub::attempt(const Request& request, std::string& sent_to, std::int64_t deadline_ms,
                                std::stop_token stop) {
  Result<Session*> chosen = choose_session(request);
  while (chosen && !*chosen) {
    const std::int64_t left = deadline_ms - options_.clock();
    if (left <= 0) co_return Attempt(no_browser_error());
    changed_.reset();
    const Clock clock(loop_.port(), changed_, left);
    Result<Unit> done = co_await changed_.wait(stop);
    if (!done) co_return done.error();
    chosen = choose_session(request);
  }
  if (!chosen) co_return Attempt(std::move(chosen.error()));
  Session& session = **chosen;
  sent_to = session.id;
  std::optional<Error> refused = request_refusal(session, request);
  if (refused) co_return Attempt(*std::move(refused));

  PendingCommand pending(loop_);
  pending.id = std::string(message_id_prefix) + std::to_string(++last_message_number_);
  const std::string session_id = session.id;
  pending.text = request.render(pending.id, session_id, core::iso_time(options_.clock()));
  const auto max = static_cast<std::size_t>(options_.limits.max_message_size_bytes);
  if (pending.text.size() > max) {
    co_return Attempt(Error(ErrorCode::too_large, "The command has more than " + std::to_string(max) +
                                                      " bytes; send it in parts."));
  }
  pending.session = &session;
  session.pending_commands.push_back(&pending);
  ++session.command_count;
  pending.sent_ms = core::steady_ms();
  if (session.connection) session.connection->send(pending.text);
  loop_.port().start(pending, Millis(std::max<std::int64_t>(deadline_ms - options_.clock(), 1)));
  Result<Unit> ended = co_await pending.finished.wait(stop);

  loop_.port().cancel(pending);
  if (pending.session) std::erase(pending.session->pending_commands, &pending);
  const bool given_up = !ended || pending.end == PendingCommand::End::late;
  if (given_up && pending.session && pending.session->connection) {
    const BridgeCancel cancel{.message_id = pending.id, .reason = ended ? "timeout" : "cancelled"};
    pending.session->connection->send(json::to_json(cancel));
  }
  if (!ended) co_return ended.error();
  std::optional<Error> unanswered = error_of_unanswered(pending, request, max);
  if (unanswered) co_return Attempt(*std::move(unanswered));
  const SuccessResponse* success = nullptr;
  Result<Unit> read = Unit{};
  if (!pending.response) {
    read = pending.response.error();
  } else if (const ErrorResponse* error = std::get_if<ErrorResponse>(&*pending.response)) {
    co_return Attempt(failure_of(error->error));
  } else {
    success = &std::get<SuccessResponse>(*pending.response);
    read = request.read_payload(success->payload);
  }
  if (!read) {
    // The author of the extension reads the log, and the host only the answer.
    log_.write(Severity::warning,
               "Session " + session_id + ", " + request.command + ": " + read.error().message);
    co_return Attempt(std::move(read).error());
  }
  if (pending.session && request.payload_text)
    log_unknown_members(*pending.session, request.command, "/payload", success->payload.text,
                        request.payload_text);
  Reply reply{.session_id = session_id,
              .message_id = pending.id,
              .round_trip_ms = pending.answered_ms - pending.sent_ms};
  record_command(request, session_id, reply.round_trip_ms, "success");
  co_return Attempt(std::move(reply));
}

void Hub::record_command(const Request& request, const std::optional<std::string>& session_id,
                         double round_trip_ms, std::string outcome) {
  past_commands_.push_front({.command = request.command,
                             .session_id = session_id,
                             .at = core::iso_time(options_.clock()),
                             .round_trip_ms = round_trip_ms,
                             .outcome = std::move(outcome)});
  if (past_commands_.size() > past_commands_max) past_commands_.pop_back();
  changed_.set();
}

BridgeStatus Hub::status() const {
  BridgeStatus out{.url = options_.url};
  std::vector<const Session*> by_arrival;
  for (const auto& [id, each] : sessions_) by_arrival.push_back(each.get());
  std::ranges::sort(by_arrival, std::greater(), &Session::connection_number);
  for (const Session* each : by_arrival) {
    out.browsers.push_back({.session_id = each->id,
                            .connected = each->connection != nullptr,
                            .permissions = permissions_in(each->permissions),
                            .client_info = each->client_info,
                            .connected_at = core::iso_time(each->connected_ms),
                            .latency_ms = each->latency_ms,
                            .commands_in_flight = static_cast<std::int64_t>(each->pending_commands.size()),
                            .commands = each->command_count});
  }
  for (const core::Pairings::UsablePairing& each : pairings_.open_pairings(options_.clock())) {
    OpenPairing pairing{.permissions = permissions_in(each.permissions),
                        .expires_at = core::iso_time(each.expires_ms),
                        .asked_for = each.requested_by_page};
    if (!each.code.empty()) pairing.code = each.code;
    out.pairings.push_back(std::move(pairing));
  }
  out.commands.assign(past_commands_.begin(), past_commands_.end());
  out.events = {.next_cursor = events_.next_number(), .dropped = events_.dropped_count()};
  return out;
}

EventPage Hub::events(const BridgeEventsInput& in) const {
  const auto wanted = [&in](const core::LoggedEvent& event) {
    const bool type_fits =
        !in.types ||
        std::ranges::find(*in.types, static_cast<BridgeEventType>(event.type)) != in.types->end();
    return type_fits && (!in.session_id || event.session_id == *in.session_id);
  };
  const core::EventLog::Page page =
      events_.read(in.cursor.value_or(0), static_cast<std::size_t>(in.limit), wanted);
  EventPage out{.next_cursor = page.next_number,
                .missed = in.cursor ? page.missed_count : 0,
                .dropped = events_.dropped_count()};
  for (const core::LoggedEvent* each : page.events) {
    PastEvent event{.cursor = each->number,
                    .session_id = each->session_id,
                    .event_type = static_cast<BridgeEventType>(each->type)};
    if (!each->timestamp.empty()) event.timestamp = each->timestamp;
    if (!each->payload.empty()) event.payload = json::Raw{each->payload};
    out.events.push_back(std::move(event));
  }
  return out;
}

}  // namespace snapgen::tools::bridge

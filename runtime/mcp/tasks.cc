#include "runtime/mcp/tasks.h"

#include <array>
#include <cassert>
#include <utility>

#include "runtime/base/text.h"
#include "runtime/json/writer.h"
#include "runtime/mcp/quoted_name.h"
#include "runtime/mcp/suspended_calls.h"
#include "runtime/seal/seal.h"

namespace snapgen::mcp {
namespace {

constexpr std::size_t id_bytes = 16;

// Returns a time in the format of RFC 3339, in UTC and with milliseconds.
std::string timestamp(std::chrono::system_clock::time_point time) {
  using namespace std::chrono;
  const auto whole = floor<days>(time);
  const year_month_day date(whole);
  const hh_mm_ss clock(floor<milliseconds>(time - whole));
  const auto digits = [](auto number, std::size_t width) {
    std::string text = std::to_string(number);
    return text.size() < width ? std::string(width - text.size(), '0') + text : text;
  };
  return digits(static_cast<int>(date.year()), 4) + "-" + digits(static_cast<unsigned>(date.month()), 2) +
         "-" + digits(static_cast<unsigned>(date.day()), 2) + "T" + digits(clock.hours().count(), 2) + ":" +
         digits(clock.minutes().count(), 2) + ":" + digits(clock.seconds().count(), 2) + "." +
         digits(clock.subseconds().count(), 3) + "Z";
}

}  // namespace

std::string unknown_task_sentence(std::string_view id) {
  return "There is no task " + quoted_name(id) + ". It may have expired; repeat the call that began it.";
}

void Tasks::Expiry::ring() {
  tasks_.expired_records_.push_back(&record_);
  tasks_.work_.set();
}

Tasks::Tasks(Loop& loop, const Limits& limits, const ToolSet& tools, Changed changed)
    : loop_(loop), limits_(limits), tools_(tools), on_change_(std::move(changed)), scope_(loop), work_(loop) {
  Task<Unit> attendant = handle_events();
  scope_.spawn(std::move(attendant));
}

Tasks::~Tasks() { assert(by_id_.empty() && "tasks are ended before they are destroyed"); }

bool Tasks::is_full() const {
  return by_id_.size() >= limits_.tasks_max || outcome_bytes_ >= limits_.task_results_bytes_max;
}

void Tasks::run(PendingRequest& pending, Task<Unit> task) {
  Task<Unit> following = await_handler(pending, std::move(task));
  scope_.spawn(std::move(following));
}

Task<Unit> Tasks::await_handler(PendingRequest& pending, Task<Unit> task) {
  Result<Unit> outcome = co_await std::move(task);
  pending.owner().finish(pending, outcome);
  co_return Unit{};
}

Result<std::string> Tasks::adopt(std::unique_ptr<PendingRequest>& pending) {
  std::string id = TRY(random_bytes(id_bytes));
  auto made = std::make_unique<Record>(*this);
  Record& record = *made;
  record.id = hex(id);
  record.created = record.updated = std::chrono::system_clock::now();
  record.pending = std::move(pending);
  record.pending->become_task(*this);
  by_request_.emplace(record.pending.get(), &record);
  by_id_.emplace(record.id, std::move(made));
  loop_.port().start(record.expiry, limits_.task_ttl);
  set_deadline(*record.pending, Millis(record.pending->call().tool().deadline_ms));
  return members_of(record, false);
}

std::optional<std::string> Tasks::describe(std::string_view id) const {
  const Record* record = find(id);
  if (!record) return std::nullopt;
  return members_of(*record, true);
}

bool Tasks::cancel(std::string_view id) {
  Record* record = find(id);
  if (!record) return false;
  if (is_over(record->status)) return true;
  finish(*record, Status::cancelled, {});
  stop(*record);
  return true;
}

Result<Unit> Tasks::update(std::string_view id, std::string_view responses) {
  Record* record = find(id);
  if (!record) return Error(ErrorCode::not_found, unknown_task_sentence(id));
  // An answer that is late or sent twice is not an error.
  if (record->status != Status::input_required) return Unit{};
  TRY(record_responses(*record->asking, responses));
  if (record->asking->is_complete()) record->status = Status::working;
  mark_updated(*record);
  return Unit{};
}

Task<Unit> Tasks::end_all() {
  for (const auto& [id, record] : by_id_) {
    loop_.port().cancel(record->expiry);
    record->expired = true;
    if (record->pending) stop(*record);
  }
  scope_.cancel();
  co_await scope_.join();
  by_id_.clear();
  co_return Unit{};
}

Task<std::vector<std::string>> Tasks::ask(PendingRequest& pending, std::vector<Question> questions) {
  if (pending.stop_requested()) co_return cancelled_error();
  if (questions.empty()) co_return std::vector<std::string>();
  Result<Unit> allowed = pending.may_ask(questions);
  if (!allowed) co_return std::move(allowed).error();
  Record& record = record_of(pending);
  // MCP forbids reusing a key within a task, so later rounds get a suffix.
  if (++record.ask_count > 1)
    for (Question& question : questions) question.key += "-" + std::to_string(record.ask_count);
  PendingQuestions asking(loop_, std::move(questions));
  record.asking = &asking;
  record.status = Status::input_required;
  pending.is_asking = true;
  set_deadline(pending, limits_.answer_timeout);
  mark_updated(record);
  Task<std::vector<std::string>> waiting = asking.wait_for_answers(pending.stop_token());
  Result<std::vector<std::string>> answers = co_await std::move(waiting);
  pending.is_asking = false;
  record.asking = nullptr;
  if (!pending.stop_requested()) set_deadline(pending, Millis(pending.call().tool().deadline_ms));
  co_return answers;
}

void Tasks::finish(PendingRequest& pending, const Result<Unit>& outcome) {
  Record& record = record_of(pending);
  pending.clear_deadline();
  by_request_.erase(&pending);
  // The outcome of a task that has ended or expired does not change.
  if (!is_over(record.status) && !record.expired) {
    if (const std::optional<RequestError> failure = pending.failure(outcome)) {
      finish(record, Status::failed, failure->json());
    } else {
      finish(record, Status::completed, "{" + pending.result_members + ",\"resultType\":\"complete\"}");
    }
  }
  record.pending.reset();
  if (record.expired) by_id_.erase(std::string(record.id));
}

void Tasks::on_progress(PendingRequest& pending, std::string_view message) {
  if (message.empty()) return;
  Record& record = record_of(pending);
  record.message = message;
  record.updated = std::chrono::system_clock::now();
}

Task<Unit> Tasks::handle_events() {
  std::stop_token stop = scope_.stop();
  for (;;) {
    work_.reset();
    Result<Unit> done = co_await work_.wait(stop);
    if (!done) co_return done;
    end_late_tasks();
    forget_expired();
  }
}

void Tasks::set_deadline(PendingRequest& pending, Millis deadline) {
  pending.clear_deadline();
  if (deadline != Millis(0)) pending.set_deadline(deadline, late_requests_, work_);
}

void Tasks::end_late_tasks() {
  for (PendingRequest* pending : std::exchange(late_requests_, {})) {
    Record& record = record_of(*pending);
    if (is_over(record.status)) continue;
    const Tool& tool = pending->call().tool();
    const Error error(ErrorCode::unavailable, pending->is_asking ? std::string(unanswered_sentence)
                                                                 : deadline_exceeded_sentence(tool));
    std::string members;
    tools_.append_unfinished_result(tool, pending->call().client_name(), error, members);
    finish(record, Status::completed, "{" + members + ",\"resultType\":\"complete\"}");
    stop(record);
  }
}

void Tasks::forget_expired() {
  for (Record* record : std::exchange(expired_records_, {})) {
    record->expired = true;
    outcome_bytes_ -= record->outcome.size();
    record->outcome.clear();
    if (record->pending) {
      stop(*record);
    } else {
      by_id_.erase(std::string(record->id));
    }
  }
}

Tasks::Record* Tasks::find(std::string_view id) const {
  const auto found = by_id_.find(std::string(id));
  return found == by_id_.end() || found->second->expired ? nullptr : found->second.get();
}

void Tasks::stop(Record& record) {
  record.pending->clear_deadline();
  record.pending->request_stop();
}

void Tasks::finish(Record& record, Status status, std::string outcome) {
  record.status = status;
  record.outcome = std::move(outcome);
  outcome_bytes_ += record.outcome.size();
  record.message.clear();
  mark_updated(record);
}

void Tasks::mark_updated(Record& record) {
  record.updated = std::chrono::system_clock::now();
  on_change_(record.id, members_of(record, true));
}

std::string Tasks::members_of(const Record& record, bool detailed) const {
  constexpr std::array<std::string_view, 5> statuses = {"working", "input_required", "completed", "failed",
                                                        "cancelled"};
  const auto text = [](std::string_view name, std::string_view value) {
    return "\"" + std::string(name) + "\":\"" + std::string(value) + "\"";
  };
  std::string out = text("createdAt", timestamp(record.created));
  if (detailed && record.status == Status::failed) out += ",\"error\":" + record.outcome;
  if (detailed && record.status == Status::input_required)
    out += ",\"inputRequests\":" + input_requests_json(*record.asking);
  out += "," + text("lastUpdatedAt", timestamp(record.updated));
  out += ",\"pollIntervalMs\":" + std::to_string(limits_.task_poll_interval.count());
  if (detailed && record.status == Status::completed) out += ",\"result\":" + record.outcome;
  if (!detailed) out += ",\"resultType\":\"task\"";
  out += "," + text("status", statuses[static_cast<std::size_t>(record.status)]);
  if (!record.message.empty()) out += ",\"statusMessage\":" + json::quoted(record.message);
  out += "," + text("taskId", record.id);
  return out + ",\"ttlMs\":" + std::to_string(limits_.task_ttl.count());
}

}  // namespace snapgen::mcp

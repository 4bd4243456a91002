#include "runtime/mcp/pending_request.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "runtime/json/details.h"
#include "runtime/json/writer.h"

namespace snapgen::mcp {

namespace {

constexpr std::size_t id_kept_bytes = 256;

void empty(std::string& text, std::size_t kept_bytes) {
  text.clear();
  if (text.capacity() > kept_bytes) std::string().swap(text);
}

}  // namespace

void Deadline::ring() {
  pending_.late_requests_->push_back(&pending_);
  pending_.deadline_event_->set();
}

void PendingRequest::begin(const Tool& tool, Revision revision, const Message& message,
                           std::shared_ptr<Batch> batch, RequestStream request_stream,
                           std::optional<LogLevel> threshold, ClientAbilities client) {
  ++use_count_;
  batch_ = std::move(batch);
  request_stream_ = request_stream;
  method_ = message.method;
  params_ = message.params;
  meta_ = message.meta_text;
  read_message(message, threshold, client);
  call_.emplace(*this, loop_, tool, revision);
}

void PendingRequest::read_message(const Message& message, std::optional<LogLevel> threshold,
                                  ClientAbilities client) {
  id_ = message.id;
  log_threshold_ = threshold;
  client_ = client;
  if (message.meta().progress_token) {
    json::Writer writer(progress_token_);
    if (const auto* text = std::get_if<std::string>(&*message.meta().progress_token)) writer.string(*text);
    if (const auto* number = std::get_if<std::int64_t>(&*message.meta().progress_token))
      writer.integer(*number);
  }
}

void PendingRequest::resume_with(const Message& message, RequestStream request_stream,
                                 std::optional<LogLevel> threshold, ClientAbilities client) {
  request_stream_ = request_stream;
  progress_token_.clear();
  progress_.reset();
  total_.reset();
  read_message(message, threshold, client);
  owned_id_ = comparable_id(id_);
  id_ = owned_id_;
  suspended_ = responded_ = false;
}

void PendingRequest::copy_request_data() {
  owned_id_ = comparable_id(id_);
  id_ = owned_id_;
  meta_ = {};
  if (is_modern(call_->revision()) && client_.any()) {
    owned_method_and_params_.assign(method_).append(params_);
    method_ = std::string_view(owned_method_and_params_).substr(0, method_.size());
    params_ = std::string_view(owned_method_and_params_).substr(method_.size());
  }
  is_handler_waiting_ = true;
}

void PendingRequest::end(std::size_t retained_buffer_bytes_max) {
  clear_deadline();
  call_.reset();
  batch_.reset();
  empty(result_members, retained_buffer_bytes_max);
  empty(progress_token_, id_kept_bytes);
  empty(owned_id_, id_kept_bytes);
  empty(owned_method_and_params_, id_kept_bytes);
  method_ = params_ = meta_ = missing_capabilities = {};
  progress_.reset();
  total_.reset();
  not_found_code = RpcCode::invalid_params;
  is_handler_waiting_ = responded_ = suspended_ = is_asking = may_become_task = is_silent_ = false;
  if (stop_.stop_possible()) stop_ = std::stop_source(std::nostopstate);
}

void PendingRequest::become_task(RequestOwner& owner) {
  clear_deadline();
  responded_ = is_task_ = true;
  owner_ = &owner;
}

std::optional<RequestError> PendingRequest::failure(const Result<Unit>& outcome) const {
  // A call that succeeded is no failure, even if it could not ask its questions.
  const bool failed = !outcome || call_->has_failed();
  if (failed && !missing_capabilities.empty() && is_modern(call_->revision()))
    return RequestError{.code = RpcCode::missing_capability,
                        .sentence = "The request needs a capability that the client did not declare.",
                        .data = "{\"requiredCapabilities\":" + std::string(missing_capabilities) + "}"};
  if (outcome) return std::nullopt;
  const Error& error = outcome.error();
  RequestError failure{.sentence = error.message, .data = json::object_text(error.details)};
  if (error.code == ErrorCode::not_found) failure.code = not_found_code;
  // The client's params name something that is invalid or that it may not access.
  if (error.code == ErrorCode::invalid_argument || error.code == ErrorCode::permission_denied)
    failure.code = RpcCode::invalid_params;
  return failure;
}

std::string RequestError::json() const {
  std::string out = "{\"code\":" + std::to_string(static_cast<int>(code));
  if (!data.empty()) out += ",\"data\":" + data;
  return out + ",\"message\":" + json::quoted(sentence) + "}";
}

std::string deadline_exceeded_sentence(const Tool& tool) {
  return std::string(tool.safe_name) + " took longer than " + std::to_string(tool.deadline_ms) +
         " ms and was stopped.";
}

Result<Unit> PendingRequest::may_ask(const std::vector<Question>& questions) {
  missing_capabilities = missing_capability_json(call().client_abilities(), questions);
  if (!missing_capabilities.empty())
    return Error(ErrorCode::unsupported, "The client did not declare a capability that this request needs: " +
                                             std::string(missing_capabilities) + ". Use a client that does.");
  if (is_asking) return internal_error("a handler asks twice at once");
  return Unit{};
}

void PendingRequest::mark_unanswered() {
  if (std::exchange(responded_, true)) return;
  if (batch_) return outbox_.finish_request_in(*batch_);
  outbox_.report_unanswered(request_stream_);
}

void PendingRequest::request_stop() {
  if (!stop_.stop_possible()) stop_ = std::stop_source();
  stop_.request_stop();
}

std::stop_token PendingRequest::stop_token() {
  if (!stop_.stop_possible()) stop_ = std::stop_source();
  return stop_.get_token();
}

void PendingRequest::set_deadline(Millis deadline, std::vector<PendingRequest*>& late, Event& event) {
  late_requests_ = &late;
  deadline_event_ = &event;
  loop_.port().start(deadline_, deadline);
}

void PendingRequest::clear_deadline() {
  if (!late_requests_) return;
  loop_.port().cancel(deadline_);
  std::erase(*late_requests_, this);
  late_requests_ = nullptr;
}

void PendingRequest::progress(double progress, std::optional<double> total, std::string_view message) {
  if (is_task_) return owner_->on_progress(*this, message);
  if (progress_token_.empty() || responded_ || !std::isfinite(progress)) return;
  if (outbox_.is_backlogged() || (progress_ && progress <= *progress_)) return;
  progress_ = progress;
  total_ = total;
  is_silent_ = false;
  send_progress(message);
}

void PendingRequest::send_heartbeat() {
  is_silent_ = !is_silent_;
  if (is_silent_ || outbox_.is_backlogged()) return;
  // MCP requires progress to grow. The step is small, so that the handler's next value is still greater.
  constexpr double step = 1e-6;
  progress_ = progress_ ? *progress_ + std::max(step, std::abs(*progress_) * step) : 0;
  send_progress("Still in progress.");
}

void PendingRequest::send_progress(std::string_view message) {
  std::string params;
  json::Writer writer(params);
  writer.text("{");
  if (!message.empty()) {
    writer.text("\"message\":");
    writer.string(message);
    writer.text(",");
  }
  writer.text("\"progress\":");
  writer.number(*progress_);
  writer.text(",\"progressToken\":");
  writer.text(progress_token_);
  if (total_ && std::isfinite(*total_)) {
    writer.text(",\"total\":");
    writer.number(*total_);
  }
  writer.text("}");
  outbox_.send_notification("notifications/progress", params, request_stream_);
}

void PendingRequest::log(LogLevel level, std::string_view logger, std::string_view data) {
  if (!log_threshold_ || level < *log_threshold_ || responded_ || outbox_.is_backlogged()) return;
  std::string params;
  json::Writer writer(params);
  // The canonical form has no line breaks, which would end the message on line-based transports.
  const Result<std::string> canonical = json::canonical(data);
  writer.text("{\"data\":");
  writer.text(canonical ? *canonical : json::quoted(data));
  writer.text(",\"level\":\"");
  writer.text(text(level));
  writer.text("\"");
  if (!logger.empty()) {
    writer.text(",\"logger\":");
    writer.string(logger);
  }
  writer.text("}");
  outbox_.send_notification("notifications/message", params, request_stream_);
}

PendingRequest& PendingRequests::acquire() {
  if (free_requests_.empty()) {
    requests_.push_back(std::make_unique<PendingRequest>(loop_, outbox_, owner_));
    return *requests_.back();
  }
  PendingRequest& pending = *free_requests_.back();
  free_requests_.pop_back();
  return pending;
}

void PendingRequests::recycle(PendingRequest& pending) {
  if (pending.is_handler_waiting()) {
    forget(pending);
    if (!pending.awaits_retry()) --waiting_count_;
  }
  // free_requests_ is a stack. Only the few requests at its bottom retain their buffers, so that a burst of
  // requests does not occupy memory for long.
  constexpr std::size_t rooms_kept = 8;
  pending.end(free_requests_.size() < rooms_kept ? retained_buffer_bytes_max_ : 0);
  free_requests_.push_back(&pending);
}

std::unique_ptr<PendingRequest> PendingRequests::release(PendingRequest& pending) {
  forget(pending);
  --waiting_count_;
  const auto owned = std::ranges::find(requests_, &pending, &std::unique_ptr<PendingRequest>::get);
  std::swap(*owned, requests_.back());
  std::unique_ptr<PendingRequest> released = std::move(requests_.back());
  requests_.pop_back();
  return released;
}

void PendingRequests::take_back(std::unique_ptr<PendingRequest> pending) {
  add_by_id(*pending);
  ++waiting_count_;
  requests_.push_back(std::move(pending));
}

void PendingRequests::add_suspended(PendingRequest& pending) {
  pending.copy_request_data();
  if (pending.awaits_retry()) return;
  add_by_id(pending);
  ++waiting_count_;
}

void PendingRequests::suspend(PendingRequest& pending) {
  if (pending.is_handler_waiting()) {
    forget(pending);
    --waiting_count_;
  }
  pending.suspend();
}

void PendingRequests::resume(PendingRequest& pending) {
  add_by_id(pending);
  ++waiting_count_;
}

void PendingRequests::add_by_id(PendingRequest& pending) {
  if (clients_ == ClientCount::one) {
    by_id_.emplace(pending.id(), &pending);
  } else {
    by_request_stream_.emplace(pending.request_stream(), &pending);
  }
}

void PendingRequests::forget(const PendingRequest& pending) {
  if (clients_ == ClientCount::many) {
    const auto found = by_request_stream_.find(pending.request_stream());
    if (found != by_request_stream_.end() && found->second == &pending) by_request_stream_.erase(found);
    return;
  }
  const auto found = by_id_.find(pending.id());
  if (found != by_id_.end() && found->second == &pending) by_id_.erase(found);
}

PendingRequest* PendingRequests::find(std::string_view id) const {
  if (by_id_.empty()) return nullptr;
  const auto found =
      id.find('\\') == std::string_view::npos ? by_id_.find(id) : by_id_.find(comparable_id(id));
  return found == by_id_.end() ? nullptr : found->second;
}

PendingRequest* PendingRequests::find(RequestStream request_stream) const {
  const auto found = by_request_stream_.find(request_stream);
  return found == by_request_stream_.end() ? nullptr : found->second;
}

void PendingRequests::cancel(PendingRequest& pending) {
  forget(pending);
  pending.mark_unanswered();
  pending.request_stop();
}

bool PendingRequests::send_heartbeat() {
  bool any = false;
  for (const auto& pending : requests_) {
    if (!pending->is_active() || !pending->reports_progress()) continue;
    pending->send_heartbeat();
    any = true;
  }
  return any;
}

void PendingRequests::stop_all_unanswered() {
  for (const auto& pending : requests_) {
    if (!pending->is_active()) continue;
    pending->mark_unanswered();
    pending->request_stop();
  }
  by_id_.clear();
  by_request_stream_.clear();
}

std::string comparable_id(std::string_view id) {
  if (id.find('\\') == std::string_view::npos) return std::string(id);
  Result<std::string> canonical = json::canonical(id);
  return canonical ? std::move(*canonical) : std::string(id);
}

}  // namespace snapgen::mcp

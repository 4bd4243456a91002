#include "runtime/http/connection.h"

#include <array>
#include <charconv>

namespace snapgen::http {
namespace {

// BodyMemoryShare is the part of the BodyMemoryBudget that one body uses. The destructor gives it back.
class BodyMemoryShare {
 public:
  explicit BodyMemoryShare(BodyMemoryBudget& body_memory) : body_memory_(body_memory) {}
  BodyMemoryShare(BodyMemoryShare&&) = delete;
  ~BodyMemoryShare() { body_memory_.bytes -= bytes_; }
  // Enlarges the share. Returns false if all shares together would exceed BodyMemoryBudget::bytes_max.
  bool grow_to(std::size_t bytes) {
    if (bytes <= bytes_) return true;
    if (bytes - bytes_ > body_memory_.bytes_max - body_memory_.bytes) return false;
    body_memory_.bytes += bytes - bytes_;
    bytes_ = bytes;
    return true;
  }

 private:
  BodyMemoryBudget& body_memory_;
  std::size_t bytes_ = 0;
};

}  // namespace

Connection::Connection(Loop& loop, std::unique_ptr<Stream> stream, const ConnectionLimits& limits,
                       BodyMemoryBudget& body_memory)
    : loop_(loop), stream_(std::move(stream)), limits_(limits), body_memory_(body_memory), activity_(loop) {
  stream_->set_listener(this);
}

Connection::~Connection() {
  stop_input_timer();
  loop_.port().cancel(output_timer_);
  loop_.port().cancel(stall_timer_);
  if (!stream_) return;
  watch_reading(false);
  stream_->watch_writable(false);
  stream_->set_listener(nullptr);
}

Task<bool> Connection::next_head(std::stop_token stop) {
  flush();
  while (watches_output_ && !is_peer_gone() && !is_evicted_ && !stop.stop_requested()) {
    activity_.reset();
    Result<Unit> taken = co_await activity_.wait(stop);
    static_cast<void>(taken);
  }
  if (stop.stop_requested()) co_return false;
  parser_.emplace(limits_.request);
  has_answered_ = false;
  fields_.clear();
  bool begun = false;
  while (!parse_input()) {
    if (parser_->stage() == RequestParser::Stage::refused || is_peer_gone() || is_evicted_ ||
        stop.stop_requested())
      co_return false;
    if (input_is_late_) {
      if (begun) refuse({408, "The head of the request did not arrive in time."});
      co_return false;
    }
    if (!begun && !input_.empty()) {
      begun = true;
      set_input_timer(limits_.head_timeout);
    } else if (!begun) {
      std::string().swap(input_);
      // A new connection may be silent for less time than an idle one: its peer connected to send a request.
      if (!input_timer_.is_set())
        set_input_timer(has_sent_request_ ? limits_.idle_timeout : limits_.head_timeout);
    }
    if (begun) {
      reset_stall_timer();
      Task<Unit> coming = wait_for_input(stop);
      Result<Unit> done = co_await std::move(coming);
      static_cast<void>(done);
      continue;
    }
    if (!has_sent_request_ && !is_stalled_ && !stall_timer_.is_set())
      loop_.port().start(stall_timer_, limits_.first_byte_timeout);
    watch_reading(true);
    activity_.reset();
    is_idle_ = true;
    Result<Unit> done = co_await activity_.wait(stop);
    static_cast<void>(done);
    is_idle_ = false;
  }
  stop_input_timer();
  reset_stall_timer();
  has_sent_request_ = true;
  is_persistent_ = head().is_persistent;
  co_return true;
}

Task<Unit> Connection::wait_for_input(std::stop_token stop) {
  watch_reading(true);
  activity_.reset();
  loop_.port().start(stall_timer_, limits_.input_stall_timeout);
  Result<Unit> done = co_await activity_.wait(stop);
  static_cast<void>(done);
  reset_stall_timer();
  co_return Unit{};
}

void Connection::reset_stall_timer() {
  loop_.port().cancel(stall_timer_);
  is_stalled_ = false;
}

Task<bool> Connection::read_body(std::stop_token stop) {
  if (is_request_complete()) co_return true;
  if (head().expects_continue && input_.empty()) {
    output_.append_buffer().append("HTTP/1.1 100 Continue\r\n\r\n");
    flush();
  }
  std::size_t seen = 0;
  BodyMemoryShare share(body_memory_);
  set_input_timer(limits_.body_step_timeout);
  for (;;) {
    parse_input();
    if (is_request_complete()) break;
    if (parser_->stage() == RequestParser::Stage::refused || is_peer_gone() || is_evicted_ ||
        stop.stop_requested())
      co_return false;
    const std::size_t size = body().size();
    if (size > limits_.uncounted_body_bytes && !share.grow_to(size - limits_.uncounted_body_bytes)) {
      std::string().swap(body());
      refuse({503, "The server is receiving too many large requests. Send this one again later."},
             "Retry-After: 10\r\n");
      co_return false;
    }
    if (input_is_late_) {
      if (body().size() < seen + limits_.body_step_bytes) {
        refuse({408, "The body of the request did not arrive in time."});
        co_return false;
      }
      seen = body().size();
      set_input_timer(limits_.body_step_timeout);
    }
    Task<Unit> coming = wait_for_input(stop);
    Result<Unit> done = co_await std::move(coming);
    static_cast<void>(done);
  }
  stop_input_timer();
  co_return true;
}

bool Connection::parse_input() {
  const RequestParser::Stage begin = parser_->stage();
  std::size_t taken = 0;
  for (;;) {
    const RequestParser::Stage before = parser_->stage();
    const std::size_t bytes = parser_->feed(std::string_view(input_).substr(taken));
    taken += bytes;
    if (parser_->stage() != before || bytes == 0) break;
  }
  input_.erase(0, taken);
  if (parser_->stage() == RequestParser::Stage::refused) {
    refuse(parser_->error());
    return false;
  }
  return parser_->stage() != begin;
}

void Connection::refuse(const RequestError& why, std::string_view fields) {
  is_persistent_ = false;
  write_response(why.status, "Content-Type: text/plain\r\n" + std::string(fields), why.sentence);
  flush();
}

void Connection::write_status(int status, std::string_view fields) {
  std::string& out = output_.append_buffer();
  out.append("HTTP/1.1 ").append(std::to_string(status)).append(" ").append(reason_phrase(status));
  out.append("\r\n").append(fields).append(fields_);
  if (!is_persistent_) out.append("Connection: close\r\n");
}

void Connection::write_response(int status, std::string_view fields, std::string_view body) {
  has_answered_ = true;
  if (output_broken_) return;
  write_status(status, fields);
  // A 204 response must not have a Content-Length (RFC 9110 section 8.6).
  constexpr int no_content = 204;
  if (status != no_content)
    output_.append_buffer().append("Content-Length: ").append(std::to_string(body.size())).append("\r\n");
  output_.append_buffer().append("\r\n");
  if (sends_body()) output_.append_buffer().append(body);
}

void Connection::begin_response(int status, std::string_view fields) {
  has_answered_ = true;
  if (output_broken_) return;
  // An HTTP/1.0 peer does not know chunked bodies. It reads until the connection closes.
  is_chunked_ = head().text.find(" HTTP/1.1\r\n") != std::string::npos;
  if (!is_chunked_) is_persistent_ = false;
  write_status(status, fields);
  output_.append_buffer().append(is_chunked_ ? "Transfer-Encoding: chunked\r\n\r\n" : "\r\n");
}

void Connection::write_piece(std::string_view bytes) {
  if (output_broken_ || bytes.empty() || !sends_body()) return;
  if (output_.size() > limits_.unsent_bytes_max) return discard_output();
  if (!is_chunked_) {
    output_.append_buffer().append(bytes);
    return;
  }
  std::array<char, 16> size;
  const auto end = std::to_chars(size.data(), size.data() + size.size(), bytes.size(), 16).ptr;
  output_.append_buffer().append(size.data(), end).append("\r\n").append(bytes).append("\r\n");
}

void Connection::end_response() {
  if (!output_broken_ && is_chunked_ && sends_body()) output_.append_buffer().append("0\r\n\r\n");
}

void Connection::flush() {
  if (!watches_output_ && !output_.empty()) write();
}

void Connection::write() {
  const Stream::Transferred written = stream_->write(output_.view());
  output_.remove_front(written.bytes);
  if (written.closed) return discard_output();
  if (watches_output_ == output_.empty()) {
    watches_output_ = !output_.empty();
    stream_->watch_writable(watches_output_);
  }
  if (!watches_output_ || written.bytes > 0) loop_.port().cancel(output_timer_);
  if (watches_output_ && !output_timer_.is_set())
    loop_.port().start(output_timer_, limits_.output_stall_timeout);
  if (!watches_output_) activity_.set();
}

void Connection::discard_output() {
  output_broken_ = true;
  output_.clear();
  loop_.port().cancel(output_timer_);
  if (std::exchange(watches_output_, false)) stream_->watch_writable(false);
  activity_.set();
}

void Connection::on_readable() {
  // The buffer of one read. While the peer waits for its response, read_ahead_bytes limits what is read in
  // total.
  std::array<char, 16 << 10> chunk;
  const bool body_comes = parser_ && parser_->stage() == RequestParser::Stage::body;
  if (input_.size() >= read_ahead_bytes && !body_comes) return watch_reading(false);
  const Stream::Transferred read = stream_->read(chunk);
  input_.append(chunk.data(), read.bytes);
  if (read.closed) {
    input_ended_ = true;
    watch_reading(false);
  }
  if (read.closed || read.bytes > 0) activity_.set();
}

void Connection::watch_reading(bool on) {
  on = on && !input_ended_;
  if (std::exchange(watches_input_, on) != on) stream_->watch_readable(on);
}

void Connection::on_late_input() {
  input_is_late_ = true;
  activity_.set();
}

void Connection::evict() {
  is_idle_ = is_stalled_ = idle_stream_ = false;
  is_evicted_ = true;
  activity_.set();
}

void Connection::set_input_timer(Millis after) {
  stop_input_timer();
  loop_.port().start(input_timer_, after);
}

void Connection::stop_input_timer() {
  input_is_late_ = false;
  loop_.port().cancel(input_timer_);
}

Task<Unit> Connection::close_gracefully(std::stop_token stop) {
  stop_input_timer();
  flush();
  if (is_evicted_) discard_output();  // Another peer waits for this connection to close.
  while (watches_output_ && !input_is_late_) {
    const bool stopped = stop.stop_requested();
    if (stopped && !input_timer_.is_set()) set_input_timer(limits_.shutdown_timeout);
    const std::stop_token until = stopped ? std::stop_token() : stop;
    activity_.reset();
    Result<Unit> done = co_await activity_.wait(until);
    static_cast<void>(done);
  }
  if (watches_output_) discard_output();
  if (output_broken_ || input_ended_ || !has_answered_) co_return Unit{};
  // Closing a socket with unread input resets the connection, and may discard the response.
  constexpr Millis patience{2000};
  stream_->end();
  set_input_timer(patience);
  while (!input_ended_ && !input_is_late_) {
    input_.clear();
    watch_reading(true);
    activity_.reset();
    Result<Unit> done = co_await activity_.wait(std::stop_token());
    static_cast<void>(done);
  }
  co_return Unit{};
}

Connection::Handover Connection::hand_over() {
  stop_input_timer();
  loop_.port().cancel(output_timer_);
  watch_reading(false);
  stream_->watch_writable(false);
  stream_->set_listener(nullptr);
  is_persistent_ = false;
  return {.stream = std::move(stream_), .unread_bytes = std::move(input_)};
}

}  // namespace snapgen::http

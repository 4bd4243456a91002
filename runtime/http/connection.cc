#include "runtime/http/connection.h"

#include <array>
#include <charconv>
#include <utility>

namespace snapgen::http {
namespace {

// Share is the part of the BodyMemory that one body uses. The destructor gives it back.
class Share {
 public:
  explicit Share(BodyMemory& room) : room_(room) {}
  Share(Share&&) = delete;
  ~Share() { room_.bytes -= bytes_; }
  // Enlarges the share. Returns false if all shares together would exceed BodyMemory::bytes_max.
  bool grow_to(std::size_t bytes) {
    if (bytes <= bytes_) return true;
    if (bytes - bytes_ > room_.bytes_max - room_.bytes) return false;
    room_.bytes += bytes - bytes_;
    bytes_ = bytes;
    return true;
  }

 private:
  BodyMemory& room_;
  std::size_t bytes_ = 0;
};

}  // namespace

Connection::Connection(Loop& loop, std::unique_ptr<Stream> stream, const ConnectionLimits& limits,
                       BodyMemory& room)
    : loop_(loop), stream_(std::move(stream)), limits_(limits), room_(room), moved_(loop) {
  stream_->set_listener(this);
}

Connection::~Connection() {
  stop_clock();
  loop_.port().cancel(taking_);
  loop_.port().cancel(stalling_);
  if (!stream_) return;
  watch_reading(false);
  stream_->watch_writable(false);
  stream_->set_listener(nullptr);
}

Task<bool> Connection::next_head(std::stop_token stop) {
  flush();
  while (writing_ && !is_gone() && !is_evicted_ && !stop.stop_requested()) {
    moved_.reset();
    Result<Unit> taken = co_await moved_.wait(stop);
    static_cast<void>(taken);
  }
  if (stop.stop_requested()) co_return false;
  parser_.emplace(limits_.request);
  answered_ = false;
  fields_.clear();
  bool begun = false;
  while (!feed()) {
    if (parser_->stage() == RequestParser::Stage::refused || is_gone() || is_evicted_ ||
        stop.stop_requested())
      co_return false;
    if (late_) {
      if (begun) refuse({408, "The head of the request did not arrive in time."});
      co_return false;
    }
    if (!begun && !in_.empty()) {
      begun = true;
      set_clock(limits_.head);
    } else if (!begun) {
      std::string().swap(in_);
      // A new connection may be silent for less time than an idle one: its peer connected to send a request.
      if (!clock_.is_set()) set_clock(has_sent_request_ ? limits_.idle : limits_.head);
    }
    if (begun) {
      reset_stall_timer();
      Task<Unit> coming = more_comes(stop);
      Result<Unit> came = co_await std::move(coming);
      static_cast<void>(came);
      continue;
    }
    if (!has_sent_request_ && !stalled_ && !stalling_.is_set()) loop_.port().start(stalling_, limits_.fresh);
    watch_reading(true);
    moved_.reset();
    idle_ = true;
    Result<Unit> came = co_await moved_.wait(stop);
    static_cast<void>(came);
    idle_ = false;
  }
  stop_clock();
  reset_stall_timer();
  has_sent_request_ = true;
  keep_alive_ = head().keep_alive;
  co_return true;
}

Task<Unit> Connection::more_comes(std::stop_token stop) {
  watch_reading(true);
  moved_.reset();
  loop_.port().start(stalling_, limits_.stalled);
  Result<Unit> came = co_await moved_.wait(stop);
  static_cast<void>(came);
  reset_stall_timer();
  co_return Unit{};
}

void Connection::reset_stall_timer() {
  loop_.port().cancel(stalling_);
  stalled_ = false;
}

Task<bool> Connection::read_body(std::stop_token stop) {
  if (has_body()) co_return true;
  if (head().expects_continue && in_.empty()) {
    out_.append_buffer().append("HTTP/1.1 100 Continue\r\n\r\n");
    flush();
  }
  std::size_t seen = 0;
  Share share(room_);
  set_clock(limits_.body_step);
  for (;;) {
    feed();
    if (has_body()) break;
    if (parser_->stage() == RequestParser::Stage::refused || is_gone() || is_evicted_ ||
        stop.stop_requested())
      co_return false;
    const std::size_t size = body().size();
    if (size > limits_.body_free_bytes && !share.grow_to(size - limits_.body_free_bytes)) {
      std::string().swap(body());
      refuse({503, "The server is receiving too many large requests. Send this one again later."},
             "Retry-After: 10\r\n");
      co_return false;
    }
    if (late_) {
      if (body().size() < seen + limits_.body_step_bytes) {
        refuse({408, "The body of the request did not arrive in time."});
        co_return false;
      }
      seen = body().size();
      set_clock(limits_.body_step);
    }
    Task<Unit> coming = more_comes(stop);
    Result<Unit> came = co_await std::move(coming);
    static_cast<void>(came);
  }
  stop_clock();
  co_return true;
}

bool Connection::feed() {
  const RequestParser::Stage begin = parser_->stage();
  std::size_t taken = 0;
  for (;;) {
    const RequestParser::Stage before = parser_->stage();
    const std::size_t bytes = parser_->feed(std::string_view(in_).substr(taken));
    taken += bytes;
    if (parser_->stage() != before || bytes == 0) break;
  }
  in_.erase(0, taken);
  if (parser_->stage() == RequestParser::Stage::refused) {
    refuse(parser_->refusal());
    return false;
  }
  return parser_->stage() != begin;
}

void Connection::refuse(const Refusal& why, std::string_view fields) {
  keep_alive_ = false;
  answer(why.status, "Content-Type: text/plain\r\n" + std::string(fields), why.sentence);
  flush();
}

void Connection::write_status(int status, std::string_view fields) {
  std::string& out = out_.append_buffer();
  out.append("HTTP/1.1 ").append(std::to_string(status)).append(" ").append(reason(status));
  out.append("\r\n").append(fields).append(fields_);
  if (!keep_alive_) out.append("Connection: close\r\n");
}

void Connection::answer(int status, std::string_view fields, std::string_view body) {
  answered_ = true;
  if (broken_) return;
  write_status(status, fields);
  // A 204 response must not have a Content-Length (RFC 9110 section 8.6).
  constexpr int no_content = 204;
  if (status != no_content)
    out_.append_buffer().append("Content-Length: ").append(std::to_string(body.size())).append("\r\n");
  out_.append_buffer().append("\r\n");
  if (wants_body()) out_.append_buffer().append(body);
}

void Connection::begin(int status, std::string_view fields) {
  answered_ = true;
  if (broken_) return;
  // An HTTP/1.0 peer does not know chunked bodies. It reads until the connection closes.
  chunked_ = head().text.find(" HTTP/1.1\r\n") != std::string::npos;
  if (!chunked_) keep_alive_ = false;
  write_status(status, fields);
  out_.append_buffer().append(chunked_ ? "Transfer-Encoding: chunked\r\n\r\n" : "\r\n");
}

void Connection::piece(std::string_view bytes) {
  if (broken_ || bytes.empty() || !wants_body()) return;
  if (out_.size() > limits_.unsent_bytes) return drop();
  if (!chunked_) {
    out_.append_buffer().append(bytes);
    return;
  }
  std::array<char, 16> size;
  const auto end = std::to_chars(size.data(), size.data() + size.size(), bytes.size(), 16).ptr;
  out_.append_buffer().append(size.data(), end).append("\r\n").append(bytes).append("\r\n");
}

void Connection::end() {
  if (!broken_ && chunked_ && wants_body()) out_.append_buffer().append("0\r\n\r\n");
}

void Connection::flush() {
  if (!writing_ && !out_.empty()) write();
}

void Connection::write() {
  const Stream::Transferred written = stream_->write(out_.view());
  out_.remove_front(written.bytes);
  if (written.closed) return drop();
  if (writing_ == out_.empty()) {
    writing_ = !out_.empty();
    stream_->watch_writable(writing_);
  }
  if (!writing_ || written.bytes > 0) loop_.port().cancel(taking_);
  if (writing_ && !taking_.is_set()) loop_.port().start(taking_, limits_.taking);
  if (!writing_) moved_.set();
}

void Connection::drop() {
  broken_ = true;
  out_.clear();
  loop_.port().cancel(taking_);
  if (std::exchange(writing_, false)) stream_->watch_writable(false);
  moved_.set();
}

void Connection::on_readable() {
  // The buffer of one read. While the peer waits for its response, read_ahead_bytes limits what is read in
  // total.
  std::array<char, 16 << 10> chunk;
  const bool body_comes = parser_ && parser_->stage() == RequestParser::Stage::body;
  if (in_.size() >= read_ahead_bytes && !body_comes) return watch_reading(false);
  const Stream::Transferred read = stream_->read(chunk);
  in_.append(chunk.data(), read.bytes);
  if (read.closed) {
    ended_ = true;
    watch_reading(false);
  }
  if (read.closed || read.bytes > 0) moved_.set();
}

void Connection::watch_reading(bool on) {
  on = on && !ended_;
  if (std::exchange(reading_, on) != on) stream_->watch_readable(on);
}

void Connection::is_late() {
  late_ = true;
  moved_.set();
}

void Connection::evict() {
  idle_ = stalled_ = resting_ = false;
  is_evicted_ = true;
  moved_.set();
}

void Connection::set_clock(Millis after) {
  stop_clock();
  loop_.port().start(clock_, after);
}

void Connection::stop_clock() {
  late_ = false;
  loop_.port().cancel(clock_);
}

Task<Unit> Connection::finish(std::stop_token stop) {
  stop_clock();
  flush();
  if (is_evicted_) drop();  // Another peer waits for this connection to close.
  while (writing_ && !late_) {
    const bool stopped = stop.stop_requested();
    if (stopped && !clock_.is_set()) set_clock(limits_.leaving);
    const std::stop_token until = stopped ? std::stop_token() : stop;
    moved_.reset();
    Result<Unit> came = co_await moved_.wait(until);
    static_cast<void>(came);
  }
  if (writing_) drop();
  if (broken_ || ended_ || !answered_) co_return Unit{};
  // Closing a socket with unread input resets the connection, and may discard the response.
  constexpr Millis patience{2000};
  stream_->end();
  set_clock(patience);
  while (!ended_ && !late_) {
    in_.clear();
    watch_reading(true);
    moved_.reset();
    Result<Unit> came = co_await moved_.wait(std::stop_token());
    static_cast<void>(came);
  }
  co_return Unit{};
}

Connection::Handover Connection::hand_over() {
  stop_clock();
  loop_.port().cancel(taking_);
  watch_reading(false);
  stream_->watch_writable(false);
  stream_->set_listener(nullptr);
  keep_alive_ = false;
  return {.stream = std::move(stream_), .left_over = std::move(in_)};
}

}  // namespace snapgen::http

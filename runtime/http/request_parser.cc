#include "runtime/http/request_parser.h"

#include <algorithm>
#include <limits>

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/basic_parser.hpp>

#include "runtime/base/ascii.h"

namespace snapgen::http {
namespace {

namespace beast = boost::beast::http;
using Text = boost::beast::string_view;
using Code = boost::beast::error_code;

std::string_view view(Text text) { return {text.data(), text.size()}; }

constexpr RequestError no_request{400, "This is not an HTTP/1.1 request."};
constexpr RequestError head_too_long{431, "The head of the request is too long."};
constexpr RequestError body_too_long{413, "The body of the request is too long."};
constexpr RequestError length_unclear{400, "The length of the body is ambiguous."};
constexpr RequestError bad_body{400, "The body of the request is not well formed."};
constexpr RequestError bad_host{400,
                                "A request must have exactly one Host field, and it must match the target."};

// Whether all lines of the head end with CR LF, no line is folded, and there are no control characters. The
// bytes before `from` were checked by earlier calls.
bool has_clean_lines(std::string_view head, std::size_t from) {
  std::size_t i = from < 2 ? 0 : from - 2;
  if (i > 0 && head[i] == '\n') ++i;
  for (; i < head.size(); ++i) {
    const auto byte = static_cast<unsigned char>(head[i]);
    if (byte == '\r') {
      if (i + 1 == head.size()) return true;
      if (head[i + 1] != '\n') return false;
      if (i + 2 < head.size() && (head[i + 2] == ' ' || head[i + 2] == '\t')) return false;
      ++i;
    } else if ((byte < ' ' && byte != '\t') || byte == 0x7f) {
      return false;
    }
  }
  return true;
}

// Whether a chunk's size line is hex digits and an extension without quotes. Quotes are rejected because
// Beast would search the following lines for the closing quote. If `behind_a_chunk`, the CR LF that ends the
// previous chunk is checked too. Returns nullopt if the line is incomplete.
std::optional<bool> is_chunk_line(std::string_view rest, bool behind_a_chunk) {
  constexpr std::size_t line_bytes_max = 256;
  constexpr std::string_view end = "\r\n";
  if (behind_a_chunk) {
    if (!rest.starts_with(end)) return false;
    rest.remove_prefix(end.size());
  }
  const std::string_view line = rest.substr(0, rest.find(end));
  const std::size_t digits = std::min(line.find_first_not_of("0123456789abcdefABCDEF"), line.size());
  if (line.size() > line_bytes_max) return false;
  if (line.size() == rest.size()) return std::nullopt;
  if (digits == 0 || (digits < line.size() && line[digits] != ';')) return false;
  return std::ranges::none_of(line, [](char c) { return c == '"' || (c < ' ' && c != '\t'); });
}

// Whether the request line has three words, the last of which is a version of HTTP.
bool names_version(std::string_view head) {
  const std::string_view line = head.substr(0, head.find('\r'));
  constexpr std::string_view name = "HTTP/";
  const std::size_t last = line.rfind(' ');
  if (std::ranges::count(line, ' ') != 2 || line.substr(last + 1, name.size()) != name) return false;
  const std::string_view number = line.substr(last + 1 + name.size());
  return number.size() == 3 && is_digit(number[0]) && number[1] == '.' && is_digit(number[2]);
}

}  // namespace

class RequestParser::Reader final : public beast::basic_parser<true> {
 public:
  explicit Reader(RequestParser& parser) : parser_(parser) {
    const auto limit = [](std::size_t bytes) {
      return static_cast<std::uint32_t>(
          std::min<std::size_t>(bytes, std::numeric_limits<std::uint32_t>::max()));
    };
    header_limit(limit(parser.limits_.head_bytes_max));
    body_limit(parser.limits_.body_bytes_max);
  }

  int version = 0;

  bool at_chunk_line() const { return chunked() && chunk_left_ == 0; }
  bool chunks_begun() const { return chunks_begun_; }

 private:
  void on_request_impl(beast::verb, Text method, Text target, int number, Code&) override {
    parser_.head_.method = view(method);
    parser_.head_.target = view(target);
    version = number;
  }
  void on_response_impl(int, Text, int, Code& code) override { code = beast::error::bad_method; }
  void on_field_impl(beast::field, Text name, Text value, Code& code) override {
    if (in_body_) return;  // Fields after a chunked body (the trailer) are ignored.
    if (parser_.head_.fields.size() == parser_.limits_.fields_max) code = beast::error::header_limit;
    parser_.head_.fields.push_back({.name = view(name), .value = view(value)});
  }
  void on_header_impl(Code&) override { in_body_ = true; }
  void on_body_init_impl(const boost::optional<std::uint64_t>&, Code&) override {}
  std::size_t on_body_impl(Text body, Code&) override {
    parser_.body_.append(body.data(), body.size());
    return body.size();
  }
  void on_chunk_header_impl(std::uint64_t size, Text, Code&) override {
    chunk_left_ = size;
    chunks_begun_ = true;
  }
  std::size_t on_chunk_body_impl(std::uint64_t left, Text body, Code& code) override {
    chunk_left_ = left - body.size();
    if (body.size() > parser_.limits_.body_bytes_max - parser_.body_.size()) {
      code = beast::error::body_limit;
      return 0;
    }
    return on_body_impl(body, code);
  }
  void on_finish_impl(Code&) override {}

  RequestParser& parser_;
  bool in_body_ = false;
  std::uint64_t chunk_left_ = 0;
  bool chunks_begun_ = false;
};

RequestParser::RequestParser(const RequestLimits& limits)
    : limits_(limits), reader_(std::make_unique<Reader>(*this)) {}

RequestParser::~RequestParser() = default;

std::size_t RequestParser::refuse(RequestError why) {
  stage_ = Stage::refused;
  error_ = why;
  return 0;
}

std::size_t RequestParser::feed(std::string_view bytes) {
  switch (stage_) {
    case Stage::head: return feed_head(bytes);
    case Stage::body: return feed_body(bytes);
    case Stage::complete:
    case Stage::refused: break;
  }
  return 0;
}

std::size_t RequestParser::feed_head(std::string_view bytes) {
  // Empty lines before a request are ignored (RFC 9112 section 2.2).
  std::size_t skipped = 0;
  while (scanned_bytes_ == 0 && bytes.substr(skipped).starts_with("\r\n")) skipped += 2;
  bytes.remove_prefix(skipped);
  if (bytes.empty() || bytes == "\r") return skipped;
  // Reject input that cannot be HTTP without waiting for the end of the head.
  if (!is_http_token_byte(bytes.front())) return refuse(no_request);

  constexpr std::string_view end = "\r\n\r\n";
  const std::size_t from = scanned_bytes_ < end.size() ? 0 : scanned_bytes_ - end.size() + 1;
  const std::size_t found = bytes.find(end, from);
  const bool is_whole = found != std::string_view::npos;
  const std::size_t size = is_whole ? found + end.size() : bytes.size();
  if (size > limits_.head_bytes_max) return refuse(head_too_long);
  if (!has_clean_lines(bytes.substr(0, size), scanned_bytes_)) return refuse(no_request);
  if (!is_whole) {
    scanned_bytes_ = bytes.size();
    return skipped;
  }

  head_.text = bytes.substr(0, size);
  Code code;
  reader_->put(boost::asio::const_buffer(head_.text.data(), size), code);
  if (code == beast::error::bad_version && names_version(head_.text))
    return refuse({505, "This server speaks HTTP/1.1."});
  if (code == beast::error::header_limit) return refuse(head_too_long);
  if (code == beast::error::body_limit) return refuse(body_too_long);
  if (code == beast::error::bad_content_length || code == beast::error::bad_transfer_encoding)
    return refuse(length_unclear);
  if (code || !reader_->is_header_done()) return refuse(no_request);
  if (const std::optional<RequestError> why = check_head()) return refuse(*why);
  stage_ = reader_->is_done() ? Stage::complete : Stage::body;
  return skipped + size;
}

std::optional<RequestError> RequestParser::check_head() {
  if (head_.field_count("Host") != 1) return bad_host;
  head_.host = head_.field("Host");
  const std::size_t lengths = head_.field_count("Content-Length");
  const std::size_t codings = head_.field_count("Transfer-Encoding");
  const std::string_view length = head_.field("Content-Length");
  if (lengths + codings > 1) return length_unclear;
  if (lengths == 1 && (length.empty() || length.find_first_not_of("0123456789") != std::string_view::npos))
    return length_unclear;
  if (codings == 1) {
    if (reader_->version != 11) return length_unclear;
    if (!equal_ignoring_case(head_.field("Transfer-Encoding"), "chunked"))
      return RequestError{501, "The only supported transfer coding is chunked."};
  }
  if (head_.field_count("Expect") != 0) {
    if (!equal_ignoring_case(head_.field("Expect"), "100-continue"))
      return RequestError{417, "The only supported expectation is 100-continue."};
    head_.expects_continue = reader_->version == 11;
  }
  head_.is_persistent = reader_->version == 11 ? !head_.has_list_item("Connection", "close")
                                               : head_.has_list_item("Connection", "keep-alive");

  constexpr std::string_view scheme = "http://";
  if (head_.target.size() > scheme.size() &&
      equal_ignoring_case(head_.target.substr(0, scheme.size()), scheme)) {
    std::string_view rest = head_.target.substr(scheme.size());
    const std::size_t path = std::min(rest.find('/'), rest.size());
    if (!equal_ignoring_case(rest.substr(0, path), head_.host)) return bad_host;
    head_.target = path == rest.size() ? std::string_view("/") : rest.substr(path);
  }
  if (!head_.target.starts_with('/')) return RequestError{400, "The request target must begin with a slash."};
  return std::nullopt;
}

std::size_t RequestParser::feed_body(std::string_view bytes) {
  // The size of the shortest end of a chunked body: 0, CR LF, CR LF. Beast must not be called with less
  // input.
  constexpr std::size_t last_chunk_bytes = 5;
  const std::size_t least = reader_->chunked() ? last_chunk_bytes : 1;
  std::size_t taken = 0;
  Code code;
  while (bytes.size() - taken >= least && !reader_->is_done()) {
    const std::string_view rest = bytes.substr(taken);
    if (reader_->at_chunk_line()) {
      const std::optional<bool> fine = is_chunk_line(rest, reader_->chunks_begun());
      if (!fine) return taken;
      if (!*fine) return refuse(bad_body);
    }
    taken += reader_->put(boost::asio::const_buffer(rest.data(), rest.size()), code);
    if (code) break;
  }
  if (code == beast::error::need_more) {
    // Beast consumes the trailer (the fields after a chunked body) only when all of it has arrived.
    if (bytes.size() - taken > limits_.head_bytes_max) return refuse(head_too_long);
    return taken;
  }
  if (code == beast::error::body_limit) return refuse(body_too_long);
  if (code) return refuse(bad_body);
  if (reader_->is_done()) stage_ = Stage::complete;
  return taken;
}

}  // namespace snapgen::http

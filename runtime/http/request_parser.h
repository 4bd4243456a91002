#pragma once
// RequestParser parses an HTTP/1.1 request from bytes, without doing any input or output.
//
// It uses Boost.Beast's parser, which is maintained and reviewed, and works on any buffer. (Debian 12 has no
// llhttp, and its http-parser has been unmaintained since 2020.) Beast checks the grammar. RequestParser adds
// rules for a server that a program on the same machine may be tricked into calling:
//   - exactly one Host field; an absolute target must name the same host
//   - no folded lines, no bare CR or LF, no control characters
//   - an unambiguous body length: one Content-Length in digits, or `Transfer-Encoding: chunked`;
//     not both, and no other coding
//   - limits for all sizes; a body is rejected as soon as it or its Content-Length exceeds its limit
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/http/head.h"

namespace snapgen::http {

struct RequestLimits {
  std::size_t head_bytes_max = 16 << 10;  // Limit for the request line and the fields.
  std::size_t fields_max = 100;
  std::size_t body_bytes_max = 64 << 20;
};

class RequestParser {
 public:
  explicit RequestParser(const RequestLimits& limits);
  RequestParser(RequestParser&&) = delete;
  ~RequestParser();

  enum class Stage : std::uint8_t { head, body, complete, refused };
  Stage stage() const { return stage_; }

  // Parses up to the end of the head, so that the owner can inspect it, and in later calls up to the end of
  // the request. Returns how many bytes were consumed. Pass the remaining bytes again, followed by those that
  // arrive next. Bytes after the request are not consumed.
  std::size_t feed(std::string_view bytes);

  // The head and the body are valid from Stage::body on.
  const RequestHead& head() const { return head_; }
  const std::string& body() const { return body_; }
  std::string& body() { return body_; }
  // Returns the reason for Stage::refused. The connection cannot be used further, because the start of the
  // next request is unknown.
  const RequestError& error() const { return error_; }

 private:
  class Reader;

  std::size_t feed_head(std::string_view bytes);
  std::size_t feed_body(std::string_view bytes);
  std::optional<RequestError> check_head();
  std::size_t refuse(RequestError why);

  const RequestLimits& limits_;
  Stage stage_ = Stage::head;
  std::size_t scanned_bytes_ = 0;  // Bytes of the input that have been checked already.
  RequestHead head_;
  std::string body_;
  RequestError error_;
  std::unique_ptr<Reader> reader_;
};

}  // namespace snapgen::http

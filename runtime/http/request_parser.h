#pragma once
// RequestParser: one HTTP/1.1 request after the other out of bytes, without doing any input or output.
//
// Boost.Beast's parser does the reading: it is maintained, reviewed, and takes bytes from whoever has them.
// (Debian 12 has no llhttp, and its http-parser has been unmaintained since 2020.) Beast follows the
// grammar; around it stand the rules that a server which programs on the same machine may be tricked into
// talking to needs besides:
//   - one Host field, no more and no less; an absolute target names the same host
//   - no line that continues another one, no bare CR or LF, no control characters
//   - the body's length is said once: Content-Length, once and in digits, or `Transfer-Encoding: chunked`,
//   never
//     both, and no other coding
//   - all sizes have limits, and a body is refused when what came of it, or its Content-Length, is over its
//   limit
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/http/head.h"

namespace snapgen::http {

struct RequestLimits {
  std::size_t head_bytes = 16 << 10;  // The request line and the fields.
  std::size_t fields = 100;
  std::size_t body_bytes = 64 << 20;
};

class RequestParser {
 public:
  explicit RequestParser(const RequestLimits& limits);
  RequestParser(RequestParser&&) = delete;
  ~RequestParser();

  enum class Stage : std::uint8_t { head, body, complete, refused };
  Stage stage() const { return stage_; }

  // Reads the next part: to the end of the head, so that its owner can look at it, or to the end of the
  // request. Returns how many of the bytes are done with; the others come again, with those that arrive
  // after them. Nothing is taken of what follows the request.
  std::size_t feed(std::string_view bytes);

  // From the body's stage on.
  const Head& head() const { return head_; }
  const std::string& body() const { return body_; }
  std::string& body() { return body_; }
  // Why the request is refused. Where the next one would begin is not known.
  const Refusal& refusal() const { return refusal_; }

 private:
  class Reader;

  std::size_t feed_head(std::string_view bytes);
  std::size_t feed_body(std::string_view bytes);
  std::optional<Refusal> check_head();
  std::size_t refuse(Refusal why);

  const RequestLimits& limits_;
  Stage stage_ = Stage::head;
  std::size_t scanned_ = 0;  // Of the bytes that come again.
  Head head_;
  std::string body_;
  Refusal refusal_;
  std::unique_ptr<Reader> reader_;
};

}  // namespace snapgen::http

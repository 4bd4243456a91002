#pragma once
// Service calls the routes of an HTTP API. It adds headers, sets one deadline for all attempts of a request,
// retries with back-off, and has a circuit breaker. A request is retried only if it is repeatable or
// certainly did not arrive. The response's status, content type, size, JSON and schema are checked.
//
//   Task<PackageVerdict> asking = fetch::ask(service, request, call.stop());
//   Result<PackageVerdict> verdict = co_await std::move(asking);
//
// Errors of a request: cancelled; unavailable, with a sentence that says what is wrong with the service.
// `details` has the number of `attempts`, the `correlation_id` and, if known, `status` and `retry_after_ms`.
// No error contains the token.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>

#include "runtime/async/loop.h"
#include "runtime/async/port.h"
#include "runtime/base/result.h"
#include "runtime/fetch/breaker.h"
#include "runtime/fetch/route.h"
#include "runtime/fetch/transfers.h"
#include "runtime/json/reader.h"
#include "runtime/json/writer.h"

namespace snapgen::fetch {

struct RetryRules {
  int retries_max = 2;             // In addition to the first attempt.
  Millis first_wait_max{100};      // Upper bound of the first wait; doubles with each retry.
  Millis longest_wait_max{2'000};  // Upper bound of each computed wait.
  Millis retry_after_max{5'000};   // There is no retry if Retry-After is longer.
};

// Returns the upper bound of the wait before retry number `retry`, counted from 0.
inline Millis wait_max_before_retry(const RetryRules& rules, int retry) {
  const int doublings = std::clamp(retry, 0, 30);
  return std::min(rules.longest_wait_max, Millis(rules.first_wait_max.count() << doublings));
}

// Returns the wait before retry number `retry`: a random time up to wait_max_before_retry(), plus the
// service's Retry-After. Returns nullopt if there is no further retry.
inline std::optional<Millis> wait_before_retry(const RetryRules& rules, int retry,
                                               std::optional<Millis> retry_after, std::uint64_t random) {
  if (retry >= rules.retries_max) return std::nullopt;
  const Millis own(static_cast<Millis::rep>(random % (wait_max_before_retry(rules, retry).count() + 1u)));
  if (!retry_after) return own;
  if (*retry_after > rules.retry_after_max) return std::nullopt;
  return *retry_after + own;
}

// Returns a sentence that says what is wrong with a service's base URL, or nullopt if it is valid. A valid
// URL has https, or http to this machine (localhost, 127.0.0.1, [::1]), and may have a port and a path, but
// no user, query or fragment.
std::optional<std::string> base_url_fault(std::string_view url);
// Returns scheme, host and port of a valid base URL in lower case, such as https://example.org:8443.
std::string origin_of(std::string_view base_url);
// Whether the text is a valid token for the field "Authorization: Bearer".
bool is_bearer_token(std::string_view text);

struct ServiceOptions {
  std::string base_url;    // Must be valid; see base_url_fault().
  std::string user_agent;  // Such as snapgen/0.1.0.
  std::string token;       // Must be valid; see is_bearer_token(). If empty, none is sent.
  Millis timeout{10'000};  // The limit for a request with all its attempts.
  Millis connect_timeout{3'000};
  std::size_t answer_bytes_max = 1 << 20;
  RetryRules retry;
  BreakerLimits breaker;
  bool proxy_from_environment = false;
  std::string ca_file;
};

// The interface through which Service passes a response body to a parser.
class BodyParser {
 public:
  // Returns what is wrong with the body, or nullopt if it was accepted. `body` is valid UTF-8.
  virtual std::optional<std::string> parse(std::string_view body) = 0;

 protected:
  ~BodyParser() = default;
};

class Service {
 public:
  // `seed` starts the random numbers for waits and correlation ids.
  Service(Loop& loop, ServiceOptions options, std::uint64_t seed = std::random_device()());
  Service(Service&&) = delete;

  const std::string& base_url() const { return options_.base_url; }
  // Sends a request and passes the response's body to `parser`. `body` is JSON, and unused for GET. Errors:
  // cancelled; unavailable (see the beginning of this file).
  Task<Unit> exchange(const Route& route, std::string_view body, BodyParser& parser, std::stop_token stop);

 private:
  struct Attempt;

  Request request_for(const Route& route, std::string_view body, std::string_view correlation_id) const;
  Attempt assess_response(const Route& route, const Response& response, BodyParser& parser) const;
  Error error_after(const Attempt& last, int attempts, std::string_view correlation_id) const;

  Loop& loop_;
  const ServiceOptions options_;
  Transfers transfers_;
  CircuitBreaker breaker_;
  std::mt19937_64 random_;
};

// Parses a response body into the struct Answer.
template <class Answer>
class StructParser final : public BodyParser {
 public:
  std::optional<std::string> parse(std::string_view body) override {
    json::Reader in(body);
    read_answer(in, answer);
    in.end();
    if (!in.syntax_ok())
      return "it is no JSON at byte " + std::to_string(in.error_offset()) + " (" +
             std::string(in.error_message()) + ")";
    if (in.ok()) return std::nullopt;
    const json::Violation first = in.violations().front();
    return (first.pointer.empty() ? "the answer" : first.pointer) + ": " + first.message;
  }

  Answer answer{};

 private:
  static void read_answer(json::Reader& in, json::Raw& out) { in.raw(out.text); }
  template <class Any>
  static void read_answer(json::Reader& in, Any& out) {
    read(in, out);
  }
};

// Sends a request and returns the parsed response. `in` and `service` must outlive the task. Errors:
// cancelled; unavailable (see the beginning of this file).
template <class In>
Task<ResponseTo<In>> ask(Service& service, const In& in, std::stop_token stop) {
  const Route route = route_of(&in);
  std::string body;
  if (route.method != Method::get) {
    json::Writer out(body);
    write(out, in);
  }
  StructParser<ResponseTo<In>> parser;
  Task<Unit> exchanging = service.exchange(route, body, parser, stop);
  Result<Unit> exchanged = co_await std::move(exchanging);
  if (!exchanged) co_return std::move(exchanged).error();
  co_return std::move(parser.answer);
}

}  // namespace snapgen::fetch

#pragma once
// Service: an HTTP API that is asked by routes. Around each request stand its headers, one deadline for all
// attempts, retries with back-off (of what may be repeated, or surely did not arrive), a circuit breaker, and
// a look at what comes back: status, content type, size, JSON, and the answer's own schema.
//
//   Task<PackageVerdict> asking = fetch::ask(service, request, call.stop());
//   Result<PackageVerdict> verdict = co_await std::move(asking);
//
// Errors of a request: cancelled; unavailable, a sentence that says what is wrong with the service, and in
// `details` how often it was asked, `attempts`, and the request's `correlation_id`, where they are known
// `status` and `retry_after_ms`. The token is in no error.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>

#include "runtime/async/loop.h"
#include "runtime/base/result.h"
#include "runtime/fetch/backoff.h"
#include "runtime/fetch/breaker.h"
#include "runtime/fetch/route.h"
#include "runtime/fetch/transfers.h"
#include "runtime/json/reader.h"
#include "runtime/json/writer.h"

namespace snapgen::fetch {

// What is wrong with the base URL of a service, a sentence; none: nothing. Good are https to anywhere and
// http to this machine (localhost, 127.0.0.1, [::1]), a port, and a path; no user, query or fragment.
std::optional<std::string> base_url_fault(std::string_view url);
// https://example.org:8443 of a base URL without fault, in lower case.
std::string origin_of(std::string_view base_url);
// Whether it can stand behind "Authorization: Bearer ".
bool is_token(std::string_view text);

struct ServiceOptions {
  std::string base_url;    // Without fault.
  std::string user_agent;  // snapgen/0.1.0
  std::string token;       // is_token(); empty: none is sent.
  Millis timeout{10'000};  // Of a request with all its attempts.
  Millis connect_timeout{3'000};
  std::size_t answer_bytes_max = 1 << 20;
  RetryRules retry;
  BreakerLimits breaker;
  bool proxy_from_environment = false;
  std::string ca_file;
};

// Takes an answer as it comes.
class Intake {
 public:
  // What does not fit; none: it was taken. `body` is valid UTF-8.
  virtual std::optional<std::string> take(std::string_view body) = 0;

 protected:
  ~Intake() = default;
};

class Service {
 public:
  // `seed`: of the waits and correlation ids.
  Service(Loop& loop, ServiceOptions options, std::uint64_t seed = std::random_device()());
  Service(Service&&) = delete;

  const std::string& base_url() const { return options_.base_url; }
  // `body`: JSON; a route of the method get has none.
  Task<Unit> exchange(const Route& route, std::string_view body, Intake& intake, std::stop_token stop);

 private:
  struct Attempt;

  Request request_for(const Route& route, std::string_view body, std::string_view correlation_id) const;
  Attempt judge(const Route& route, const Response& response, Intake& intake) const;
  Error failure(const Attempt& last, int attempts, std::string_view correlation_id) const;

  Loop& loop_;
  const ServiceOptions options_;
  Transfers transfers_;
  Breaker breaker_;
  std::mt19937_64 random_;
};

// An answer into its struct, by the struct's own reader.
template <class Answer>
class StructIntake final : public Intake {
 public:
  std::optional<std::string> take(std::string_view body) override {
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

// `in` and `service` stay until it is answered. Errors: as above.
template <class In>
Task<AnswerTo<In>> ask(Service& service, const In& in, std::stop_token stop) {
  const Route route = route_of(&in);
  std::string body;
  if (route.method != Method::get) {
    json::Writer out(body);
    write(out, in);
  }
  StructIntake<AnswerTo<In>> intake;
  Task<Unit> exchanging = service.exchange(route, body, intake, stop);
  Result<Unit> exchanged = co_await std::move(exchanging);
  if (!exchanged) co_return std::move(exchanged).error();
  co_return std::move(intake.answer);
}

}  // namespace snapgen::fetch

#include "runtime/fetch/service.h"

#include <array>
#include <chrono>
#include <cstring>

#include "runtime/base/ascii.h"
#include "runtime/base/text.h"

namespace snapgen::fetch {
namespace {

using Clock = std::chrono::steady_clock;

std::int64_t ms_of(Clock::time_point time) {
  return std::chrono::duration_cast<Millis>(time.time_since_epoch()).count();
}

// Whether a character may be in the path of a base URL. Only characters that need no percent-encoding are
// allowed, because all URL parsers agree on these.
bool is_path_character(char c) {
  return is_alphanumeric(c) || std::string_view("-._~/").find(c) != std::string_view::npos;
}

constexpr std::size_t longest_host = 255;  // in bytes (RFC 1035 section 2.3.4)

struct UrlParts {
  std::string_view scheme, host, port, path;
};

// Splits a URL. Returns nullopt if it does not have the form scheme://host[:port][/path].
std::optional<UrlParts> url_parts_of(std::string_view url) {
  UrlParts parts;
  const std::size_t colon = url.find("://");
  if (colon == std::string_view::npos) return std::nullopt;
  parts.scheme = url.substr(0, colon);
  std::string_view rest = url.substr(colon + 3);
  const std::size_t slash = std::min(rest.find('/'), rest.size());
  parts.path = rest.substr(slash);
  rest = rest.substr(0, slash);
  const std::size_t bracket = rest.starts_with('[') ? rest.find(']') : 0;
  if (bracket == std::string_view::npos) return std::nullopt;
  const std::size_t port = rest.find(':', bracket);
  parts.host = rest.substr(0, port);
  if (port != std::string_view::npos) parts.port = rest.substr(port + 1);
  if (port != std::string_view::npos && parts.port.empty()) return std::nullopt;
  return parts;
}

bool is_host(std::string_view host) {
  if (host.empty()) return false;
  if (host.front() == '[') {
    const std::string_view inside = host.substr(1, host.size() - 2);
    return host.back() == ']' && !inside.empty() &&
           inside.find_first_not_of("0123456789abcdefABCDEF:.") == std::string_view::npos;
  }
  return std::ranges::all_of(host, [](char c) { return is_alphanumeric(c) || c == '-' || c == '.'; });
}

std::string correlation_id(std::uint64_t random) {
  std::array<char, 8> bytes;
  std::memcpy(bytes.data(), &random, bytes.size());
  return "snapgen-" + hex(std::string_view(bytes.data(), bytes.size()));
}

bool is_json(std::string_view content_type) {
  std::string type = to_lower(content_type.substr(0, content_type.find(';')));
  type.erase(type.find_last_not_of(" \t") + 1);
  return type == "application/json" || (type.starts_with("application/") && type.ends_with("+json"));
}

}  // namespace

std::optional<std::string> base_url_fault(std::string_view url) {
  const std::optional<UrlParts> parts = url_parts_of(url);
  if (!parts) return "a URL like https://api.example.org/v2 is expected.";
  const std::string scheme = to_lower(parts->scheme), host = to_lower(parts->host);
  if (scheme != "https" && scheme != "http")
    return "the scheme must be https (http is allowed only to this machine).";
  if (host.find('@') != std::string::npos || parts->port.find('@') != std::string_view::npos)
    return "it must not contain a user or password; set the token in the environment.";
  if (host.size() > longest_host) return "its host name is longer than 255 characters.";
  if (!is_host(host)) return json::quoted(parts->host) + " is not a host name or address.";
  const bool digits = parts->port.find_first_not_of("0123456789") == std::string_view::npos;
  if (!digits || parts->port.size() > 5 ||
      (!parts->port.empty() &&
       (std::stoi(std::string(parts->port)) < 1 || std::stoi(std::string(parts->port)) > 65535)))
    return json::quoted(parts->port) + " is not a port.";
  if (scheme == "http" && host != "localhost" && host != "127.0.0.1" && host != "[::1]")
    return "http is allowed only to this machine; use https.";
  if (!std::ranges::all_of(parts->path, is_path_character))
    return "its path may contain only letters, digits, \"-\", \".\", \"_\", \"~\" and \"/\".";
  return std::nullopt;
}

std::string origin_of(std::string_view base_url) {
  const std::optional<UrlParts> parts = url_parts_of(base_url);
  return parts ? to_lower(base_url.substr(0, base_url.size() - parts->path.size())) : std::string();
}

bool is_bearer_token(std::string_view text) {
  return !text.empty() && text.size() <= 8192 &&
         std::ranges::all_of(text, [](char c) { return c > ' ' && c <= '~'; });
}

// The outcome of one attempt to send a request to the service.
struct Service::Attempt {
  bool succeeded = false;
  bool may_retry = false;      // A retry may succeed.
  bool service_works = false;  // The service works, even if it rejected the request.
  int status = 0;
  std::string what;  // The failure in words, such as "answered 503".
  std::string cause;
  std::optional<Millis> retry_after;
};

Service::Service(Loop& loop, ServiceOptions options, std::uint64_t seed)
    : loop_(loop),
      options_(std::move(options)),
      transfers_(loop),
      breaker_(options_.breaker),
      random_(seed) {}

Request Service::request_for(const Route& route, std::string_view body,
                             std::string_view correlation_id) const {
  Request request;
  request.method = route.method;
  request.url = options_.base_url;
  while (request.url.ends_with('/')) request.url.pop_back();
  request.url += route.path;
  request.headers = {"Accept: application/json", "User-Agent: " + options_.user_agent,
                     "X-Correlation-Id: " + std::string(correlation_id), "Expect:"};
  if (!options_.token.empty()) request.headers.push_back("Authorization: Bearer " + options_.token);
  if (route.method == Method::post) {
    request.headers.emplace_back("Content-Type: application/json");
    request.body = body;
  }
  request.connect_timeout = options_.connect_timeout;
  request.body_bytes_max = options_.answer_bytes_max;
  request.repeatable = route.repeatable;
  request.proxy_from_environment = options_.proxy_from_environment;
  request.ca_file = options_.ca_file;
  return request;
}

Service::Attempt Service::assess_response(const Route& route, const Response& response,
                                          BodyParser& parser) const {
  Attempt attempt{.status = response.status, .cause = response.cause, .retry_after = response.retry_after};
  switch (response.fault) {
    case TransferFault::none: break;
    case TransferFault::unreachable:
      attempt.what = "cannot be reached";
      attempt.may_retry = true;
      return attempt;
    case TransferFault::untrusted: attempt.what = "has no trusted certificate"; return attempt;
    case TransferFault::timed_out:
      attempt.what = "did not answer in " + std::to_string(options_.timeout.count()) + " ms";
      return attempt;
    case TransferFault::broken:
      attempt.what = "closed the connection, or does not speak HTTP";
      attempt.may_retry = route.repeatable;
      return attempt;
    case TransferFault::too_large:
      attempt.what = "answered with more than " + std::to_string(options_.answer_bytes_max) + " bytes";
      return attempt;
  }
  attempt.what = "answered " + std::to_string(response.status);
  if (response.status < 200 || response.status > 299) {
    static constexpr std::array passing = {408, 500, 502, 503, 504};
    const bool passes = std::ranges::find(passing, response.status) != passing.end();
    attempt.service_works = response.status < 500;
    attempt.may_retry = response.status == 429 || (passes && route.repeatable);
    if (response.status >= 300 && response.status < 400)
      attempt.what += ", a redirect, which is not followed";
    return attempt;
  }
  if (response.status == 204 || response.body.empty()) {
    attempt.what += " without content";
  } else if (response.is_encoded) {
    attempt.what += " in an encoding that was not requested";
  } else if (!is_json(response.content_type)) {
    attempt.what += " with content that is not JSON";
  } else if (!json::valid_utf8(response.body)) {
    attempt.what += " with invalid UTF-8";
  } else {
    std::optional<std::string> fault = parser.parse(response.body);
    attempt.succeeded = attempt.service_works = !fault;
    if (fault) {
      attempt.what += " with a body that does not match the expected schema";
      attempt.cause = *std::move(fault);
    }
  }
  return attempt;
}

Error Service::error_after(const Attempt& last, int attempts, std::string_view correlation_id) const {
  ErrorDetails details;
  details.add_number("attempts", attempts).add("correlation_id", correlation_id);
  if (last.retry_after) details.add_number("retry_after_ms", last.retry_after->count());
  if (last.status != 0) details.add_number("status", last.status);
  return Error(ErrorCode::unavailable, "The service at " + options_.base_url + " " + last.what + ".",
               std::move(details), last.cause);
}

Task<Unit> Service::exchange(const Route& route, std::string_view body, BodyParser& parser,
                             std::stop_token stop) {
  const Clock::time_point until = Clock::now() + options_.timeout;
  const std::string id = correlation_id(random_());
  Request request = request_for(route, body, id);
  for (int attempts = 0;; ++attempts) {
    const CircuitBreaker::Admission admission = breaker_.admit(ms_of(Clock::now()));
    if (!admission.permit) {
      Attempt refused{.what = "failed several times, so no request is sent until retry_after_ms"};
      if (admission.retry_after_ms > 0) refused.retry_after = Millis(admission.retry_after_ms);
      co_return error_after(refused, attempts, id);
    }
    request.timeout = std::chrono::ceil<Millis>(until - Clock::now());
    Task<Response> running = transfers_.run(request, stop);
    Result<Response> response = co_await std::move(running);
    if (!response) {
      breaker_.report_abandoned(*admission.permit);
      co_return std::move(response).error();
    }
    const Attempt attempt = assess_response(route, *response, parser);
    if (attempt.service_works) {
      breaker_.report_success(*admission.permit, ms_of(Clock::now()));
    } else {
      breaker_.report_failure(*admission.permit, ms_of(Clock::now()));
    }
    if (attempt.succeeded) co_return Unit{};
    std::optional<Millis> wait;
    if (attempt.may_retry) wait = wait_before_retry(options_.retry, attempts, attempt.retry_after, random_());
    if (!wait || Clock::now() + *wait >= until) co_return error_after(attempt, attempts + 1, id);
    Result<Unit> slept = co_await Sleep(loop_, stop, *wait);
    if (!slept) co_return std::move(slept).error();
  }
}

}  // namespace snapgen::fetch

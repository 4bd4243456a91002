#include "tools/app/api.h"

#include "tools/engine/base/utc.h"
#include "tools/engine/files/durable.h"

namespace snapgen::tools {
namespace {

constexpr std::uint64_t token_file_bytes_max = 64 << 10;

}  // namespace

ApiToken api_token(const ApiSettings& settings, const EnvironmentLookup& environment) {
  const std::string& name = settings.token_env;
  std::optional<std::string> token = environment(name);
  if (!token) {
    const std::optional<std::string> file = environment(name + "_FILE");
    if (!file) return {};
    Result<std::string> text =
        core::read_whole_file(*file, token_file_bytes_max, core::SymlinkPolicy::followed);
    if (!text) return {.problem = "The file that " + name + "_FILE names cannot be read; no token is sent."};
    token = *std::move(text);
    token->erase(token->find_last_not_of(" \t\r\n") + 1);
  }
  if (!fetch::is_bearer_token(*token))
    return {.problem = name + " is not one word of printable ASCII; no token is sent."};
  const std::string origin = fetch::origin_of(settings.base_url);
  const std::string meant = environment(name + "_FOR").value_or("");
  if (fetch::base_url_fault(meant) || fetch::origin_of(meant) != origin)
    return {.problem = name + " is not sent: " + name + "_FOR must be " + origin + "."};
  return {.token = *std::move(token)};
}

std::optional<fetch::ServiceOptions> service_options_of(const Settings& settings, std::string user_agent,
                                                        const EnvironmentLookup& environment) {
  if (!settings.api) return std::nullopt;
  const ApiSettings& api = *settings.api;
  fetch::ServiceOptions options{.base_url = api.base_url, .user_agent = std::move(user_agent)};
  options.token = api_token(api, environment).token;
  options.timeout = Millis(api.timeout_ms);
  options.connect_timeout = Millis(api.connect_timeout_ms);
  options.answer_bytes_max = static_cast<std::size_t>(api.answer_bytes_max);
  options.retry.retries_max = static_cast<int>(api.retries);
  options.proxy_from_environment = api.proxy == ApiSettingsProxy::environment;
  options.ca_file = environment("SSL_CERT_FILE").value_or("");
  return options;
}

std::optional<Error> Api::rate_limit_error(const fetch::Route& route) {
  if (route.rate_per_minute == 0) return std::nullopt;
  const auto [found, is_new] =
      buckets_.try_emplace(route.name, core::TokenBucket(route.rate_per_minute, route.rate_burst));
  const core::TokenBucket::TakeResult taken =
      found->second.take(1, static_cast<std::int64_t>(core::steady_ms()));
  if (taken.ok) return std::nullopt;
  return Error(ErrorCode::unavailable,
               "The service at " + base_url() + " may be called " + std::to_string(route.rate_per_minute) +
                   " times a minute, " + std::to_string(route.rate_burst) + " at once. Call again in " +
                   std::to_string(taken.retry_after_ms.value_or(0)) + " ms.",
               ErrorDetails().add_number("retry_after_ms", taken.retry_after_ms.value_or(0)));
}

}  // namespace snapgen::tools

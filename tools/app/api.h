#pragma once
// Api: calls the web service in the workspace's settings. Without such a setting no Api exists, and nothing
// is sent anywhere.
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>

#include "runtime/async/loop.h"
#include "runtime/base/result.h"
#include "runtime/fetch/service.h"
#include "schemas/common/settings.h"
#include "tools/engine/base/token_bucket.h"

namespace snapgen::tools {

// A function that returns the value of a variable, or nullopt if it is not set: environment_variable(), or a
// function of a test.
using EnvironmentLookup = std::function<std::optional<std::string>(const std::string& name)>;

// The bearer token, which is only sent to this service.
struct ApiToken {
  std::string token;    // The token; empty if none is sent.
  std::string problem;  // A sentence why an existing token is not sent; it does not have the token. Or empty.
};
// Reads the token from the variable that the settings name, or from the file that the variable with the
// suffix _FILE names. The variable with the suffix _FOR must name this service, so that a repository's
// settings cannot redirect the token.
ApiToken api_token(const ApiSettings& settings, const EnvironmentLookup& environment);

// Combines the section "api" of the settings with the environment. `user_agent` is like snapgen/0.1.0.
// Returns nullopt if there is no service.
std::optional<fetch::ServiceOptions> service_options_of(const Settings& settings, std::string user_agent,
                                                        const EnvironmentLookup& environment);

// Used on the loop's thread only.
class Api {
 public:
  explicit Api(fetch::ServiceOptions options) : options_(std::move(options)) {}
  Api(Api&&) = delete;

  const std::string& base_url() const { return options_.base_url; }

  // Sends `in` to the URL of its route, within the route's rate limit. `loop` must be the same in all calls,
  // and `in` must outlive the task. Errors: as fetch::ask(); unavailable, with `retry_after_ms`, above the
  // rate limit.
  template <class In>
  Task<fetch::ResponseTo<In>> ask(Loop& loop, const In& in, std::stop_token stop) {
    const fetch::Route route = route_of(&in);
    std::optional<Error> refused = rate_limit_error(route);
    if (refused) co_return *std::move(refused);
    if (!service_) service_ = std::make_unique<fetch::Service>(loop, options_);
    Task<fetch::ResponseTo<In>> asking = fetch::ask(*service_, in, stop);
    Result<fetch::ResponseTo<In>> answer = co_await std::move(asking);
    co_return answer;
  }

 private:
  std::optional<Error> rate_limit_error(const fetch::Route& route);

  const fetch::ServiceOptions options_;
  std::unique_ptr<fetch::Service> service_;
  std::map<std::string_view, core::TokenBucket> buckets_;  // The key is the name of the route.
};

}  // namespace snapgen::tools

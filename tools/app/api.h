#pragma once
// Api: the service that the workspace's settings name, as tools ask it. Where the settings name none there is
// no Api, and nothing is sent anywhere.
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
#include "tools/engine/base/bucket.h"

namespace snapgen::tools {

// A variable of the environment; none: it is not set.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;
std::optional<std::string> process_environment(const std::string& name);

// What may stand behind "Bearer", and goes to this service alone.
struct ApiToken {
  std::string token;    // Empty: none is sent.
  std::string problem;  // Why one that is there is not sent, a sentence without it; empty: there is none.
};
// Of the variable that the settings name, or of the file that it names with _FILE behind it; only if it says
// with _FOR behind it that it is for this service: a repository's settings can't have it sent to another.
ApiToken api_token(const ApiSettings& settings, const Environment& environment);

// What the part "api" says, with the environment's part. `user_agent`: snapgen/0.1.0. None: nothing is asked.
std::optional<fetch::ServiceOptions> service_of(const Settings& settings, std::string user_agent,
                                                const Environment& environment);

// On the loop's thread.
class Api {
 public:
  explicit Api(fetch::ServiceOptions options) : options_(std::move(options)) {}
  Api(Api&&) = delete;

  const std::string& base_url() const { return options_.base_url; }

  // Asks by the route of `in`, at its rate limit. `loop` is the same each time; `in` stays until it is
  // answered. Errors: as fetch::ask(); unavailable, with `retry_after_ms`, beyond the rate limit.
  template <class In>
  Task<fetch::AnswerTo<In>> ask(Loop& loop, const In& in, std::stop_token stop) {
    const fetch::Route route = route_of(&in);
    std::optional<Error> refused = too_often(route);
    if (refused) co_return *std::move(refused);
    if (!service_) service_ = std::make_unique<fetch::Service>(loop, options_);
    Task<fetch::AnswerTo<In>> asking = fetch::ask(*service_, in, stop);
    Result<fetch::AnswerTo<In>> answer = co_await std::move(asking);
    co_return answer;
  }

 private:
  std::optional<Error> too_often(const fetch::Route& route);

  const fetch::ServiceOptions options_;
  std::unique_ptr<fetch::Service> service_;
  std::map<std::string_view, core::Bucket> buckets_;  // By the route's name.
};

}  // namespace snapgen::tools

#include "runtime/mcp/router.h"

#include <algorithm>
#include <array>

namespace snapgen::mcp {

namespace {

enum class Eras : std::uint8_t { both, legacy, modern };

struct Route {
  std::string_view name;
  Method method;
  Eras eras;
};

// All methods; frequent ones first, because the search is linear.
constexpr std::array routes = {
    Route{"tools/call", Method::call_tool, Eras::both},
    Route{"tools/list", Method::list_tools, Eras::both},
    Route{"ping", Method::ping, Eras::legacy},
    Route{"resources/read", Method::read_resource, Eras::both},
    Route{"prompts/get", Method::get_prompt, Eras::both},
    Route{"completion/complete", Method::complete, Eras::both},
    Route{"resources/list", Method::list_resources, Eras::both},
    Route{"resources/templates/list", Method::list_resource_templates, Eras::both},
    Route{"prompts/list", Method::list_prompts, Eras::both},
    Route{"resources/subscribe", Method::subscribe, Eras::legacy},
    Route{"resources/unsubscribe", Method::unsubscribe, Eras::legacy},
    Route{"logging/setLevel", Method::set_level, Eras::legacy},
    Route{"initialize", Method::initialize, Eras::legacy},
    Route{"skills/list", Method::list_skills, Eras::modern},
    Route{"skills/get", Method::get_skill, Eras::modern},
    Route{"resources/directory/read", Method::read_directory, Eras::modern},
    Route{"tasks/get", Method::get_task, Eras::modern},
    Route{"tasks/update", Method::update_task, Eras::modern},
    Route{"tasks/cancel", Method::cancel_task, Eras::modern},
    Route{"server/discover", Method::discover, Eras::modern},
    Route{"subscriptions/listen", Method::listen, Eras::modern},
};

}  // namespace

Method method_named(std::string_view name, bool modern) {
  const auto found = std::ranges::find(routes, name, &Route::name);
  if (found == routes.end()) return Method::unknown;
  if (found->eras == (modern ? Eras::legacy : Eras::modern)) return Method::unknown;
  return found->method;
}

bool can_be_repeated(Method method) {
  return method == Method::call_tool || method == Method::get_prompt || method == Method::read_resource;
}

}  // namespace snapgen::mcp

#pragma once
// The router maps a method's name to a Method, by era.
#include <cstdint>
#include <string_view>

namespace snapgen::mcp {

enum class Method : std::uint8_t {
  unknown,
  call_tool,
  list_tools,
  discover,
  listen,
  initialize,
  ping,
  set_level,
  list_resources,
  list_resource_templates,
  read_resource,
  subscribe,
  unsubscribe,
  list_prompts,
  get_prompt,
  complete,
  get_task,
  update_task,
  cancel_task,
};

// Returns `unknown` also for a method that only the other era has.
Method method_named(std::string_view name, bool modern);

// Whether stateless clients repeat such a request with answers to the server's questions (2026-07-28).
bool can_be_repeated(Method method);

}  // namespace snapgen::mcp

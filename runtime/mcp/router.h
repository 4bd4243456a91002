#pragma once
// The router finds a Method by its name in JSON-RPC and the era of the protocol (revision.h).
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
  list_skills,
  get_skill,
  read_directory,
  get_task,
  update_task,
  cancel_task,
};

// Returns the method of this name in the era that `modern` selects; `unknown` if that era does not have it.
Method method_named(std::string_view name, bool modern);

// Whether stateless clients may repeat a request of this method with answers to the server's questions
// (revision 2026-07-28).
bool can_be_repeated(Method method);

}  // namespace snapgen::mcp

#pragma once
// Writes the texts of the prompts.
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "runtime/mcp/server.h"

namespace snapgen::tools {

using PromptArguments = std::map<std::string, std::string>;

struct PromptParameter {
  std::string_view name;
  std::string_view description;
  bool required = false;
};

// The snapshot that a prompt refers to: its id, and a description.
struct PromptSnapshot {
  std::string id;
  std::string about;
};

struct PromptKind {
  std::string_view name;
  std::string_view title;
  std::string_view description;
  std::span<const PromptParameter> parameters;
  // The prompt is offered only if one of these tools (dotted names) is listed, or if this is empty.
  std::span<const std::string_view> needed_tools;
  // Returns the message. `snapshot` is the one that the argument snapshot_id names, or null.
  std::string (*write)(const mcp::Server& server, const PromptArguments& given,
                       const PromptSnapshot* snapshot);
  // The URI of a resource to attach to the message, or empty.
  std::string_view resource;
};

std::span<const PromptKind> prompt_kinds();

}  // namespace snapgen::tools

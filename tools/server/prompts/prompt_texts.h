#pragma once
// What the prompts say.
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/mcp/server.h"

namespace snapgen::tools {

using PromptArguments = std::map<std::string, std::string>;

struct PromptParameter {
  std::string_view name;
  std::string_view description;
  bool required = false;
};

// A snapshot that a prompt is about: how to name it, and what is known of it in words.
struct PromptSnapshot {
  std::string id;
  std::string about;
};

struct PromptKind {
  std::string_view name;
  std::string_view title;
  std::string_view description;
  std::span<const PromptParameter> parameters;
  // Of these dotted names of tools one must be listed; none: it is always offered.
  std::span<const std::string_view> needs;
  // The message. `snapshot`: the one that the argument snapshot_id names, or null.
  std::string (*write)(const mcp::Server& server, const PromptArguments& given,
                       const PromptSnapshot* snapshot);
  // A resource to look at with it; empty: none.
  std::string_view resource;
};

std::span<const PromptKind> prompt_kinds();

}  // namespace snapgen::tools

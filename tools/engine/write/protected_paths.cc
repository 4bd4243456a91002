#include "tools/engine/write/protected_paths.h"

#include <algorithm>
#include <array>
#include <string>

#include "runtime/base/ascii.h"

namespace snapgen::core {
namespace {

// Settings that hosts read from a project, hooks that they run, and programs that they start. A final slash
// means a folder with everything in it.
constexpr std::array<std::string_view, 25> protected_paths = {
    ".snapback/config.json",  // This server's settings, and the tools that run commands.
    ".snapback/tools/",
    ".snapback/hosts.json",  // `snap init --remove` restores the hosts' files from it.
    ".claude/settings.json",
    ".claude/settings.local.json",
    ".claude/hooks/",
    ".mcp.json",
    ".codex/",
    ".agents/plugins/",
    ".gemini/settings.json",
    ".gemini/hooks/",
    ".gemini/extensions/",
    ".qwen/settings.json",
    ".qwen/hooks/",
    ".qwen/extensions/",
    "opencode.json",
    "opencode.jsonc",
    ".opencode/opencode.json",
    ".opencode/opencode.jsonc",
    ".opencode/plugins/",
    ".github/hooks/",
    ".github/mcp.json",
    ".cursor/hooks.json",
    ".cursor/mcp.json",
    ".vscode/mcp.json",
};

}  // namespace

bool is_protected_path(std::string_view path) {
  const std::string text = to_lower(path);
  return std::any_of(protected_paths.begin(), protected_paths.end(), [&](std::string_view name) {
    const bool is_folder = name.ends_with('/');
    if (is_folder) name.remove_suffix(1);
    for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
      const std::size_t end = at + name.size();
      const bool begins = at == 0 || text[at - 1] == '/';
      const bool ends = end == text.size() || (is_folder && text[end] == '/');
      if (begins && ends) return true;
    }
    return false;
  });
}

bool is_above_protected(std::string_view path) {
  const std::string text = to_lower(path);
  return std::any_of(protected_paths.begin(), protected_paths.end(), [&](std::string_view name) {
    const std::size_t last = name.ends_with('/') ? name.size() - 1 : name.size();
    for (std::size_t slash = name.find('/'); slash < last; slash = name.find('/', slash + 1)) {
      const std::string_view above = name.substr(0, slash);
      const bool ends = text.ends_with(above);
      if (ends && (text.size() == above.size() || text[text.size() - above.size() - 1] == '/')) return true;
    }
    return false;
  });
}

}  // namespace snapgen::core

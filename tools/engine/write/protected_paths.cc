#include "tools/engine/write/protected_paths.h"

#include <algorithm>
#include <array>

#include "runtime/base/ascii.h"
#include "runtime/base/environment.h"
#include "tools/engine/base/plain_text.h"

namespace snapgen::core {
namespace {

// The folders of hosts. They read settings, hooks, commands, agents, skills and plugins there, most of which
// can contain commands that the host runs. Sources: the hosts' documentation and globs; Claude Code 2.1.331,
// Codex 0.169.0, Gemini CLI 0.61.0, Qwen Code 0.24.4, OpenCode 1.18.33 and Copilot CLI 1.0.102 were run.
constexpr std::array<std::string_view, 12> host_folders = {".agents",   ".claude", ".codex",    ".copilot",
                                                           ".cursor",   ".gemini", ".junie",    ".kiro",
                                                           ".opencode", ".qwen",   ".windsurf", ".zed"};

// Folders in host_folders whose Markdown files are text for a model, and nothing that the host runs.
constexpr std::array<std::string_view, 7> text_folders = {"agent-memory", "output-styles", "plans", "rules",
                                                          "specs",        "steering",      "memory"};

// Claude Code makes work trees of the repository in this folder, whose files are those of the repository.
constexpr std::string_view work_trees_of_claude = "worktrees/";

// Other names. A final slash means a folder with everything in it.
constexpr std::array<std::string_view, 15> other_names = {
    ".snapback/config.json",  // This server's settings, and the tools that run commands.
    ".snapback/tools/",
    ".snapback/hosts.json",  // `snap init --remove` restores the hosts' files from it.
    ".snapback/.gitignore",  // Hides the server's files from git.
    ".claude.json",          ".mcp.json",           "opencode.json",
    "opencode.jsonc",        ".github/copilot/",    ".github/hooks/",
    ".github/mcp.json",      ".vscode/launch.json", ".vscode/mcp.json",
    ".vscode/settings.json", ".vscode/tasks.json",
};

// Below the home folder, besides the names above.
constexpr std::array<std::string_view, 13> home_names = {".gitconfig",
                                                         ".config/Code/User/mcp.json",
                                                         ".config/Code/User/settings.json",
                                                         ".config/Code/User/tasks.json",
                                                         ".config/Claude",
                                                         ".config/opencode",
                                                         ".claude.json",
                                                         ".claude",
                                                         ".codeium/windsurf",
                                                         ".config/zed",
                                                         ".copilot",
                                                         ".junie",
                                                         ".kiro"};

bool has_extension_of_text(std::string_view name) { return name.ends_with(".md") || name.ends_with(".mdc"); }

// Whether a path below a host's folder, in lower case, is plainly text for a model.
bool is_text_for_model(std::string_view rest) {
  const std::size_t slash = rest.find('/');
  if (!has_extension_of_text(rest)) return false;
  return slash == std::string_view::npos ||
         std::ranges::find(text_folders, rest.substr(0, slash)) != text_folders.end();
}

// Whether `rest`, a path in lower case, is `name` of other_names, or in it.
bool begins_with_name(std::string_view rest, std::string_view name) {
  const bool is_folder = name.ends_with('/');
  if (is_folder) name.remove_suffix(1);
  if (!rest.starts_with(name)) return false;
  return rest.size() == name.size() || (is_folder && rest[name.size()] == '/');
}

}  // namespace

bool is_protected_path(std::string_view path) {
  const std::string text = to_lower(path);
  std::string_view rest = text, component;
  for (std::string_view from = rest; next_part(rest, component, '/'); from = rest) {
    if (std::ranges::any_of(other_names, [&](std::string_view name) { return begins_with_name(from, name); }))
      return true;
    if (std::ranges::find(host_folders, component) == host_folders.end()) continue;
    // `rest` is the path below the host's folder, which itself is is_above_protected().
    const bool is_work_tree = component == ".claude" && rest.starts_with(work_trees_of_claude);
    if (rest.empty() || is_work_tree) continue;
    if (!is_text_for_model(rest)) return true;
  }
  return false;
}

bool is_above_protected(std::string_view path) {
  const std::string text = to_lower(path);
  const std::string name = text.substr(text.rfind('/') + 1);
  const auto contains = [&](std::string_view other) { return other.starts_with(name + "/"); };
  return std::ranges::find(host_folders, name) != host_folders.end() ||
         std::ranges::any_of(other_names, contains);
}

std::span<const std::string_view> protected_top_names() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> all(host_folders.begin(), host_folders.end());
    for (const std::string_view each : other_names) {
      const std::string_view top = each.substr(0, each.find('/'));
      if (std::ranges::find(all, top) == all.end()) all.push_back(top);
    }
    return all;
  }();
  return names;
}

std::vector<std::string> protected_user_paths() {
  std::vector<std::string> paths;
  const std::string home = environment_variable("HOME").value_or("");
  if (home.starts_with('/'))
    for (const std::string_view name : home_names) paths.push_back(home + "/" + std::string(name));
  const std::string config = user_base_folder("XDG_CONFIG_HOME", ".config");
  const std::string state = user_base_folder("XDG_STATE_HOME", ".local/state");
  if (!config.empty()) paths.insert(paths.end(), {config + "/snapgen", config + "/git"});
  if (!state.empty()) paths.push_back(state + "/snapgen");
  return paths;
}

}  // namespace snapgen::core

#include "tools/engine/write/write_rules.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "runtime/base/ascii.h"
#include "tools/engine/files/path.h"

namespace snapgen::core {
namespace {

constexpr std::string_view by_settings =
    "\"writes\" in .snapback/config.json forbids it. Write to another path, or let the user change that "
    "setting.";

// Files of a workspace that control what the server or an AI host may do. Tools never change them, because a
// model must not rewrite its own rules. The user's global settings can permit it by name (WriteRules).
//
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

// Whether `path` is a protected file, or is in a protected folder, in any letter case and at any depth.
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

// Whether `path` is a folder that can contain protected files: `.claude`, `a/.snapback`.
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

}  // namespace

Result<WriteRules> WriteRules::from_globs(const Patterns& allow, const Patterns& deny) {
  if (allow && allow->empty()) return deny_all(std::string(by_settings));
  WriteRules rules;
  if (allow) {
    rules.allow_ = TRY(Globs::parse(*allow));
  }
  if (deny && !deny->empty()) {
    rules.deny_ = TRY(Globs::parse(*deny));
  }
  return rules;
}

WriteRules WriteRules::deny_all(std::string why) {
  WriteRules rules;
  rules.denial_sentence_ = std::move(why);
  return rules;
}

Result<Unit> WriteRules::unprotect(const std::vector<std::string>& globs) {
  if (globs.empty()) return Unit{};
  unprotected_ = TRY(Globs::parse(globs));
  return Unit{};
}

bool WriteRules::protects(std::string_view path) const {
  return protects_ && is_protected_path(path) && !(unprotected_ && unprotected_->selects(path));
}

Result<Unit> WriteRules::check(std::string_view path) const {
  if (is_log_path(path))
    return Error(ErrorCode::permission_denied,
                 path_in_sentence(path) +
                     " may not be written: only the server writes its logs. Write to another path.");
  if (!denial_sentence_.empty())
    return Error(ErrorCode::permission_denied,
                 path_in_sentence(path) + " may not be written: " + denial_sentence_);
  if (protects(path))
    return Error(
        ErrorCode::permission_denied,
        path_in_sentence(path) +
            " may not be changed by a tool, because it decides what this server or an AI host may do. "
            "The user can edit it, or allow it by name under \"writable_settings\" in "
            "~/.config/snapgen/config.json.");
  const bool allowed = (!allow_ || allow_->selects(path)) && (!deny_ || !deny_->selects(path));
  if (allowed) return Unit{};
  return Error(ErrorCode::permission_denied,
               path_in_sentence(path) + " may not be written: " + std::string(by_settings));
}

Result<Unit> WriteRules::check(const TreeChange& change) const {
  using Kind = TreeChange::Kind;
  const bool goes_away = change.kind == Kind::remove || change.kind == Kind::remove_folder;
  if (!goes_away && change.mode == FileMode::symlink && is_state_path(change.path))
    return Error(ErrorCode::permission_denied,
                 path_in_sentence(change.path) +
                     " may not be a symlink: .snapback contains the server's own files. Write a "
                     "regular file.");
  // A symlink or file in place of a folder with protected files would provide settings from elsewhere.
  if (!goes_away && protects_ && is_above_protected(change.path))
    return Error(
        ErrorCode::permission_denied,
        path_in_sentence(change.path) +
            " must be a folder, because it contains settings that decide what this server or an AI host "
            "may do.");
  return check(change.path);
}

}  // namespace snapgen::core

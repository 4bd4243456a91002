#include "tools/engine/write/write_rules.h"

#include <string>
#include <utility>

#include "tools/engine/files/path.h"
#include "tools/engine/write/protected_paths.h"

namespace snapgen::core {
namespace {

constexpr std::string_view by_settings =
    "\"writes\" in .snapback/config.json forbids it. Write to another path, or let the user change that "
    "setting.";

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

WriteChecks::WriteChecks(const WriteRules& rules) : rules_(rules) {
  if (rules.links_) links_.emplace(*rules.links_);
}

bool WriteRules::protects(std::string_view path) const { return WriteChecks(*this).protects(path); }

Result<Unit> WriteRules::check(std::string_view path) const { return WriteChecks(*this).check(path); }

Result<Unit> WriteRules::check(const TreeChange& change) const { return WriteChecks(*this).check(change); }

std::string WriteChecks::protection_of(std::string_view path) {
  if (!rules_.protects_ || (rules_.unprotected_ && rules_.unprotected_->selects(path))) return {};
  if (is_protected_path(path)) return std::string(path);
  return links_ ? links_->setting_at(path) : std::string();
}

Result<Unit> WriteChecks::check(std::string_view path) {
  if (is_log_path(path))
    return Error(ErrorCode::permission_denied,
                 path_in_sentence(path) +
                     " may not be written: only the server writes its logs. Write to another path.");
  if (!rules_.denial_sentence_.empty())
    return Error(ErrorCode::permission_denied,
                 path_in_sentence(path) + " may not be written: " + rules_.denial_sentence_);
  if (const std::string setting = protection_of(path); !setting.empty())
    return Error(
        ErrorCode::permission_denied,
        path_in_sentence(path) + " may not be changed by a tool, because " +
            (setting == path || setting.starts_with('/')
                 ? std::string("it decides")
                 : path_in_sentence(setting) + ", which leads to it, decides") +
            " what this server, git or an AI host does. The user can edit it, or allow it by name under "
            "\"writable_settings\" in ~/.config/snapgen/config.json.");
  const bool allowed =
      (!rules_.allow_ || rules_.allow_->selects(path)) && (!rules_.deny_ || !rules_.deny_->selects(path));
  if (allowed) return Unit{};
  return Error(ErrorCode::permission_denied,
               path_in_sentence(path) + " may not be written: " + std::string(by_settings));
}

Result<Unit> WriteChecks::check(const TreeChange& change) {
  using Kind = TreeChange::Kind;
  const bool goes_away = change.kind == Kind::remove || change.kind == Kind::remove_folder;
  if (!goes_away && change.mode == FileMode::symlink && is_state_path(change.path))
    return Error(ErrorCode::permission_denied,
                 path_in_sentence(change.path) +
                     " may not be a symlink: .snapback contains the server's own files. Write a "
                     "regular file.");
  TRY(check(change.path));
  // A symlink or file in place of a folder with protected files would provide settings from elsewhere.
  const auto would_replace = [&] {
    return is_above_protected(change.path) || (links_ && !links_->setting_below(change.path).empty());
  };
  if (!goes_away && rules_.protects_ && would_replace())
    return Error(
        ErrorCode::permission_denied,
        path_in_sentence(change.path) +
            " must be a folder, because it contains settings that decide what this server or an AI host "
            "does.");
  return Unit{};
}

}  // namespace snapgen::core

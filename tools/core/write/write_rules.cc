#include "tools/core/write/write_rules.h"

#include <utility>

#include "tools/core/path/path.h"

namespace snapgen::core {
namespace {

constexpr std::string_view by_settings = "\"writes\" in .snapback/config.json says so.";

}  // namespace

Result<WriteRules> WriteRules::of(const Patterns& allow, const Patterns& deny) {
  if (allow && allow->empty()) return none(std::string(by_settings));
  WriteRules rules;
  if (allow) {
    Result<Globs> globs = Globs::of(*allow);
    if (!globs) return std::move(globs).error();
    rules.allow_ = *std::move(globs);
  }
  if (deny && !deny->empty()) {
    Result<Globs> globs = Globs::of(*deny);
    if (!globs) return std::move(globs).error();
    rules.deny_ = *std::move(globs);
  }
  return rules;
}

WriteRules WriteRules::none(std::string why) {
  WriteRules rules;
  rules.why_none_ = std::move(why);
  return rules;
}

Result<Unit> WriteRules::check(std::string_view path) const {
  if (is_record_path(path))
    return Error(ErrorCode::permission_denied,
                 path_in_sentence(path) + " may not be written: the server's logs are its own.");
  if (!why_none_.empty())
    return Error(ErrorCode::permission_denied, path_in_sentence(path) + " may not be written: " + why_none_);
  // Whoever is bound by rules does not change them.
  const bool is_own = (allow_ || deny_) && path == ".snapback/config.json";
  const bool allowed = !is_own && (!allow_ || allow_->select(path)) && (!deny_ || !deny_->select(path));
  if (allowed) return Unit{};
  return Error(ErrorCode::permission_denied,
               path_in_sentence(path) + " may not be written: " + std::string(by_settings));
}

Result<Unit> WriteRules::check(const TreeChange& change) const {
  using Kind = TreeChange::Kind;
  const bool goes_away = change.kind == Kind::remove || change.kind == Kind::remove_folder;
  if (!goes_away && change.mode == FileMode::symlink && is_state_path(change.path))
    return Error(
        ErrorCode::permission_denied,
        path_in_sentence(change.path) + " may not be a symlink: .snapback holds the server's own files.");
  return check(change.path);
}

}  // namespace snapgen::core

#pragma once
// WriteRules: which files of the work tree may be written, deleted or restored, as the workspace's settings
// say.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "tools/core/search/globs.h"
#include "tools/core/write/change.h"

namespace snapgen::core {

class WriteRules {
 public:
  // All may be, but for the server's logs, which never are.
  WriteRules() = default;
  using Patterns = std::optional<std::vector<std::string>>;
  // What `allow` names, but for what `deny` does; without `allow` all else, and with an empty one nothing.
  // The settings themselves are never among what may be written. Errors: invalid_argument (an empty glob).
  static Result<WriteRules> of(const Patterns& allow, const Patterns& deny);

  // Nothing may be. `why`: a sentence.
  static WriteRules none(std::string why);

  // Errors: permission_denied, with the path.
  Result<Unit> check(std::string_view path) const;
  // The same of a change; no symlink gets below `.snapback/`, whose files the server trusts to be its own.
  Result<Unit> check(const TreeChange& change) const;

 private:
  std::optional<Globs> allow_, deny_;
  std::string why_none_;
};

}  // namespace snapgen::core

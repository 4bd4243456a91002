#pragma once
// WriteRules: which files of the work tree may be written, deleted or restored, as the workspace's settings
// say.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/patch/change.h"
#include "tools/engine/read/globs.h"

namespace snapgen::core {

class WriteRules {
 public:
  // All may be, but for the server's logs, which never are, and protected files (protected_paths.h).
  WriteRules() = default;
  using Patterns = std::optional<std::vector<std::string>>;
  // What `allow` names, but for what `deny` does; without `allow` all else, and with an empty one nothing.
  // Errors: invalid_argument (an empty glob).
  static Result<WriteRules> of(const Patterns& allow, const Patterns& deny);

  // Nothing may be. `why`: a sentence.
  static WriteRules none(std::string why);

  // Lets tools change the protected files (protected_paths.h) that `globs` select. Errors: invalid_argument
  // (an empty glob).
  Result<Unit> unprotect(const std::vector<std::string>& globs);
  // Lets the caller change all of them: the user, on the command line.
  void unprotect_all() { protects_ = false; }
  // Whether `path` is a protected file that may not be changed.
  bool protects(std::string_view path) const;

  // The most bytes that the undo snapshot of one change may hold (undo.h).
  std::int64_t undo_bytes_max() const { return undo_bytes_max_; }
  void set_undo_bytes_max(std::int64_t bytes) { undo_bytes_max_ = bytes; }

  // Errors: permission_denied, with the path.
  Result<Unit> check(std::string_view path) const;
  // The same of a change; no symlink gets below `.snapback/`, whose files the server trusts to be its own.
  Result<Unit> check(const TreeChange& change) const;

 private:
  std::optional<Globs> allow_, deny_;
  std::string why_none_;
  bool protects_ = true;
  std::optional<Globs> unprotected_;
  std::int64_t undo_bytes_max_ = std::int64_t{2} << 30;
};

}  // namespace snapgen::core

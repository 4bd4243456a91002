#pragma once
// WriteRules: which files of the work tree may be written, deleted or restored, according to the settings.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/patch/change.h"
#include "tools/engine/search/globs.h"
#include "tools/engine/write/protected_links.h"

namespace snapgen::core {

class WriteRules {
 public:
  // Permits everything except the server's logs, which are always denied, and protected files
  // (protected_paths.h).
  WriteRules() = default;
  using Patterns = std::optional<std::vector<std::string>>;
  // Permits the files that `allow` matches and `deny` does not. Without `allow` all files match; an empty
  // `allow` permits nothing. Errors: invalid_argument (an empty glob).
  static Result<WriteRules> from_globs(const Patterns& allow, const Patterns& deny);

  // Permits nothing. `why`: a sentence for the error.
  static WriteRules deny_all(std::string why);
  bool permits_nothing() const { return !denial_sentence_.empty(); }

  // Permits changes of the protected files that `globs` select. Errors: invalid_argument
  // (an empty glob).
  Result<Unit> unprotect(const std::vector<std::string>& globs);
  // Permits changes of all protected files: for the user on the command line.
  void unprotect_all() { protects_ = false; }
  // Protects also the files that `links` finds.
  void protect_targets_of(std::shared_ptr<const ProtectedLinks> links) { links_ = std::move(links); }
  // Whether `path` is a protected file that must not be changed.
  bool protects(std::string_view path) const;

  // The maximum size of the undo snapshot of one change in bytes (undo.h).
  std::int64_t undo_bytes_max() const { return undo_bytes_max_; }
  void set_undo_bytes_max(std::int64_t bytes) { undo_bytes_max_ = bytes; }

  // Checks whether `path` may be changed. Errors: permission_denied, with the path.
  Result<Unit> check(std::string_view path) const;
  // Checks a change; also rejects symlinks below `.snapback/`, because the server trusts its files there.
  Result<Unit> check(const TreeChange& change) const;

 private:
  friend class WriteChecks;

  std::optional<Globs> allow_, deny_;
  std::string denial_sentence_;
  bool protects_ = true;
  std::optional<Globs> unprotected_;
  std::shared_ptr<const ProtectedLinks> links_;
  std::int64_t undo_bytes_max_ = std::int64_t{2} << 30;
};

// Checks the paths of one change by the same state of the work tree, which is read once. Not thread-safe.
class WriteChecks {
 public:
  // `rules` must outlive this.
  explicit WriteChecks(const WriteRules& rules);

  // As those of WriteRules.
  Result<Unit> check(std::string_view path);
  Result<Unit> check(const TreeChange& change);
  bool protects(std::string_view path) { return !protection_of(path).empty(); }

 private:
  // Returns the name of the setting that `path` is; empty if it is not protected.
  std::string protection_of(std::string_view path);

  const WriteRules& rules_;
  std::optional<ProtectedLinks::Moment> links_;
};

}  // namespace snapgen::core

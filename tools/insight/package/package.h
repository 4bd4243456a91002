#pragma once
// Reports a project's dependencies from the disk alone: declared, locked and installed versions, and their
// problems. The ecosystems are npm, PyPI, Cargo and Go.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/files/root.h"
#include "tools/insight/package/ecosystem.h"

namespace snapgen::core {

enum class PackageIssue : std::uint8_t {
  ambiguous_version,  // *, latest, a branch
  foreign_source,     // Not from a registry.
  install_script,     // Runs a program when it is installed.
  near_miss,          // Its name is almost that of another dependency.
  no_integrity,       // The lock file has no hash of it.
  no_licence,
  not_installed,
  not_locked,
  undeclared,        // No manifest declares it.
  version_mismatch,  // The declared, locked, installed or requested versions differ.
};

enum class PackageSeverity : std::uint8_t { error, info, warning };

struct PackageNote {
  PackageIssue issue = PackageIssue::undeclared;
  PackageSeverity severity = PackageSeverity::info;
  std::string message;
};

struct PackageReport {
  std::string name;
  std::optional<Ecosystem> ecosystem;                        // nullopt: undeclared, and there are several.
  std::string declared, locked, installed, licence, source;  // Empty if unknown.
  std::vector<std::string> install_scripts;
  std::vector<PackageNote> notes;  // The most severe first.
};

struct PackageQuery {
  std::string folder;                  // The manifests' folder, relative to the root; "": the root.
  std::optional<std::string> name;     // Nullopt: all declared packages.
  std::optional<std::string> version;  // The version or range to be added. Needs a name.
};

struct PackageAnswer {
  std::vector<std::string> manifests;  // Paths of the manifests that were read.
  std::vector<std::string> lock_files;
  std::vector<std::string> problems;    // "path:line:column: sentence" of what was not understood.
  std::vector<PackageReport> packages;  // By severity of their notes, then by ecosystem and name.
};

// The file names of manifests that are read, for messages: "package.json, pyproject.toml, ...".
std::string_view manifest_names();
bool is_manifest_name(std::string_view name);

// Reads the manifests of the folder, and the nearest lock files:
//   npm    package.json; package-lock.json, npm-shrinkwrap.json, pnpm-lock.yaml, yarn.lock, bun.lock, and
//          node_modules
//   PyPI   pyproject.toml, Pipfile, requirements files; uv.lock, poetry.lock, pdm.lock, pylock.toml,
//          Pipfile.lock
//   Cargo  Cargo.toml; Cargo.lock
//   Go     go.mod; go.sum
// A manifest that is malformed is reported in `problems`, and the others are still analyzed. Errors:
// not_found (no such folder, or no manifest in it); invalid_argument (`version` without a name, or not one of
// the package's ecosystem; the folder is a file; no manifest can be read); permission_denied (the folder).
Result<PackageAnswer> look_at_packages(const Root& root, const PackageQuery& query);

}  // namespace snapgen::core

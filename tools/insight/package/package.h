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
  ambiguous_version,  // The version is *, latest or a branch.
  foreign_source,     // The package does not come from a registry.
  install_script,     // The package runs a program when it is installed.
  near_miss,          // The package's name is almost that of another dependency.
  no_integrity,       // The lock file has no hash of the package.
  no_licence,
  not_installed,
  not_locked,
  undeclared,        // No manifest declares the package.
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
  // The ecosystem; nullopt if it is undeclared and several are possible.
  std::optional<Ecosystem> ecosystem;
  std::string declared, locked, installed, licence, source;  // Each is empty if it is unknown.
  std::vector<std::string> install_scripts;
  std::vector<PackageNote> notes;  // The notes, the most severe first.
};

struct PackageQuery {
  std::string folder;  // The folder with the manifests, relative to the root; "" is the root itself.
  std::optional<std::string> name;     // The package; nullopt means all declared packages.
  std::optional<std::string> version;  // The version or range that is to be added; needs a name.
};

struct PackageAnswer {
  std::vector<std::string> manifests;  // Paths of the manifests that were read.
  std::vector<std::string> lock_files;
  // Sentences "path:line:column: ..." about text that was not understood.
  std::vector<std::string> problems;
  bool has_unread_manifest = false;  // A part of a manifest was not understood.
  // Globs (globs.h) of the folders that a package.json names as workspaces.
  std::vector<std::string> workspace_globs;
  // The packages by the severity of their notes, then by ecosystem and name.
  std::vector<PackageReport> packages;
};

// Returns the file names of manifests that are read, for messages: "package.json, pyproject.toml, ...".
std::string_view manifest_names_text();
bool is_manifest_file_name(std::string_view name);

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
Result<PackageAnswer> inspect_packages(const Root& root, const PackageQuery& query);

}  // namespace snapgen::core

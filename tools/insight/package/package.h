#pragma once
// Reports a project's dependencies from the disk alone: declared, locked and installed versions, and their
// problems.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/files/root.h"

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
  undeclared,        // The manifest does not declare it.
  version_mismatch,  // The installed version is not the locked one.
};

enum class PackageSeverity : std::uint8_t { error, info, warning };

struct PackageNote {
  PackageIssue issue = PackageIssue::undeclared;
  PackageSeverity severity = PackageSeverity::info;
  std::string message;
};

struct PackageReport {
  std::string name;
  std::string declared, locked, installed, licence, source;  // Empty if unknown.
  std::vector<std::string> install_scripts;
  std::vector<PackageNote> notes;  // The most severe first.
};

struct PackageQuery {
  std::string folder;                  // The manifest's folder, relative to the root; "": the root.
  std::optional<std::string> name;     // Nullopt: all declared packages.
  std::optional<std::string> version;  // The version to be added.
};

struct PackageAnswer {
  std::string manifest;  // Path; empty: there is none.
  std::string lock_file;
  std::vector<PackageReport> packages;  // By severity of their notes, then by name.
};

// Reads package.json, package-lock.json or npm-shrinkwrap.json, and node_modules. In yarn.lock,
// pnpm-lock.yaml and bun.lock it only searches for the name. Errors: not_found (no package.json);
// invalid_argument (it is not a JSON object); permission_denied; too_large.
Result<PackageAnswer> look_at_packages(const Root& root, const PackageQuery& query);

// The Damerau-Levenshtein distance: changed, added, removed and swapped letters; at most `bound` + 1.
std::size_t edits_between(std::string_view a, std::string_view b, std::size_t bound);

}  // namespace snapgen::core

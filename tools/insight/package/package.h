#pragma once
// What is known of a project's dependencies from the disk alone: what the manifest asks for, what the lock
// file settled, what is installed, and what of it should give pause.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/files/root.h"

namespace snapgen::core {

enum class PackageIssue : std::uint8_t {
  ambiguous_version,  // *, latest, a branch
  foreign_source,     // not from a registry
  install_script,     // runs a program when it is installed
  near_miss,          // its name is almost that of another dependency, or of a well-known one
  no_integrity,       // the lock file has no hash of it
  no_licence,
  not_installed,
  not_locked,
  undeclared,        // no manifest names it
  version_mismatch,  // what is installed is not what is locked
};

enum class PackageSeverity : std::uint8_t { error, info, warning };

struct PackageNote {
  PackageIssue issue = PackageIssue::undeclared;
  PackageSeverity severity = PackageSeverity::info;
  std::string message;
};

struct PackageReport {
  std::string name;
  std::string declared, locked, installed, licence, source;  // Each empty if it is not known.
  std::vector<std::string> install_scripts;
  std::vector<PackageNote> notes;  // The gravest first.
};

struct PackageQuery {
  std::string folder;                  // Where the manifest is, as the core has paths; "" is the root.
  std::optional<std::string> name;     // None: all that the manifest declares.
  std::optional<std::string> version;  // That is to be added.
};

struct PackageAnswer {
  std::string manifest;  // Paths; empty: there is none.
  std::string lock_file;
  std::vector<PackageReport> packages;  // Those with the gravest notes first, then by name.
};

// Reads package.json, package-lock.json or npm-shrinkwrap.json, and node_modules; of yarn.lock,
// pnpm-lock.yaml and bun.lock whether they name the package. Errors: not_found (no package.json);
// invalid_argument (it is no JSON object); permission_denied; too_large.
Result<PackageAnswer> look_at_packages(const Root& root, const PackageQuery& query);

// How many letters must be changed, added, left out or swapped with their neighbour; at most `bound` + 1.
std::size_t edits_between(std::string_view a, std::string_view b, std::size_t bound);

}  // namespace snapgen::core

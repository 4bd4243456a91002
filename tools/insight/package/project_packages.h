#pragma once
// ProjectPackages: the packages of one ecosystem, as the manifests and lock files of a folder have them.
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/json/document.h"
#include "tools/engine/files/root.h"
#include "tools/insight/package/ecosystem.h"
#include "tools/insight/syntax/syntax.h"

namespace snapgen::core {

// An entry of a manifest.
struct Dependency {
  std::string name;       // The name as the manifest writes it.
  std::string range;      // The range of versions; empty if any version is allowed.
  std::string manifest;   // The path of the manifest.
  std::string source;     // The URL, path or repository that replaces the registry; mostly empty.
  bool is_local = false;  // The package is in the same workspace, so it need not be locked.
  bool is_valid = true;   // False if the range is malformed; a problem reports that.
  bool is_tool = false;   // Lock files may omit the package: a tool for building, or an optional peer.
};

// An entry of a lock file.
struct LockedPackage {
  std::string version;
  std::string source;               // The source; empty if it is unknown or the registry.
  std::vector<std::string> ranges;  // The declared ranges for which it was chosen, if the lock file has them.
  bool is_foreign = false;          // The source is not the ecosystem's registry.
  bool has_hash = true;             // False if the lock file should have a hash, but has none.
  bool has_script = false;          // The package runs a program when it is installed.
  bool is_direct = false;           // The manifest's folder uses this version.
  bool is_link = false;             // The package is a folder to which node_modules has a symlink.
};

struct ProjectPackages {
  Ecosystem ecosystem = Ecosystem::npm;
  std::vector<std::string> manifests;   // Paths of the manifests that were read.
  std::vector<std::string> lock_files;  // Paths of the lock files that were read.
  bool has_unread_manifest = false;     // A part of a manifest was not understood.
  bool has_unread_lock = false;         // A part of a lock file was not understood.
  // The patterns of the folders of other packages that the manifest names.
  std::vector<std::string> workspace_patterns;
  // The packages, keyed by comparable_name().
  std::map<std::string, std::vector<Dependency>> declared;
  std::map<std::string, std::vector<LockedPackage>> locked;
  // The ranges that replace those of all dependents, such as `resolutions` of package.json.
  std::map<std::string, std::string> overrides;

  bool is_empty() const { return manifests.empty() && !has_unread_manifest; }
  void add_declared(Dependency dependency);
  void add_locked(const std::string& name, LockedPackage package);
  // Adds an entry of `overrides` or `resolutions` of npm, pnpm, Yarn and Bun. One that applies to the
  // dependencies of one package alone is left out. The range is that of a version, or empty if it is unknown.
  void add_override(std::string_view selector, std::string_view range);
};

// The lock file of Bun before version 1.2, which is binary and cannot be read.
inline constexpr std::string_view binary_lock_name = "bun.lockb";

// A lock file, and the folder that contains it.
struct LockFile {
  std::string_view name;
  std::string folder;
  std::string path;
  std::string text;
};

// PackageFiles reads the manifests and lock files of a folder, and collects problems with them.
class PackageFiles {
 public:
  // `root` must outlive this. `folder` is a path relative to the root.
  PackageFiles(const Root& root, std::string folder) : root_(root), folder_(std::move(folder)) {}

  const std::string& folder() const { return folder_; }
  std::string path_of(std::string_view name) const;
  // Returns the sorted names of the files in a folder: the one of this object, or one in it. Empty if it
  // cannot be read.
  std::vector<std::string> names_in(std::string_view folder) const;
  // Returns the folder and those above it, the nearest first.
  std::vector<std::string> ancestor_folders() const;

  // Each returns the text of a manifest or lock file, or nullopt if there is no such file. If the file cannot
  // be read, or is not UTF-8, they record a problem and set `is_unread`.
  std::optional<std::string> read_manifest(const std::string& path, bool& is_unread);
  std::optional<std::string> read_lock_file(const std::string& path, bool& is_unread);
  // Returns the first lock file of these names in the folder, or else in the nearest folder above that has
  // one, and adds it to found.lock_files. Records a problem about others beside it. Returns nullopt if there
  // is none, or if it cannot be read.
  std::optional<LockFile> read_nearest_lock(ProjectPackages& found,
                                            std::initializer_list<std::string_view> names);
  // Returns the package.json of an installed package; nullopt if it is missing. If it cannot be read or is
  // damaged, records a problem and sets `is_unread`.
  std::optional<json::Node> read_installed_manifest(const std::string& path, bool& is_unread);

  // Each parses JSON or TOML. Problems are recorded, and set `is_unread`. Returns nullopt if nothing was
  // understood; after a syntax error in JSON, the tree has the part before the error.
  std::optional<json::Node> json_of(const std::string& path, std::string_view text, bool& is_unread);
  std::optional<json::Node> toml_of(const std::string& path, std::string_view text, bool& is_unread);

  // Records a problem "path:line:column: message." at an offset in a text.
  void add_problem(const std::string& path, std::string_view text, std::size_t offset,
                   const std::string& message);
  void add_problem(const std::string& path, const SyntaxFault& fault);
  void add_sentence(std::string sentence);  // Records a problem in other words.
  const std::vector<std::string>& problems() const { return problems_; }

 private:
  std::optional<std::string> read(const std::string& path, std::int64_t bytes_max, bool& is_unread);
  std::optional<json::Node> tree_of(const std::string& path, std::string_view text, json::Document document,
                                    bool& is_unread);

  const Root& root_;
  const std::string folder_;
  std::vector<std::string> problems_;
};

// Returns the text of a string, or else an empty text.
std::string string_value(const json::Node* node);

// Each of these reads the manifests and lock files of one ecosystem.
ProjectPackages read_npm(PackageFiles& files);
ProjectPackages read_python(PackageFiles& files);
ProjectPackages read_crates(PackageFiles& files);
ProjectPackages read_go(PackageFiles& files);

// Returns whether the address of a locked package is in one of the registries of npm and Yarn.
bool is_in_npm_registry(std::string_view source);
// Returns whether a version in package.json is a URL, a path or a repository instead of a range.
bool is_npm_source(std::string_view range);

// These are parts of read_npm(). `own`: the path of the manifest's folder relative to the lock file's, or
// empty.
void add_yarn_lock(ProjectPackages& found, std::string_view text);
// Returns the first syntax error of a yarn.lock. `text` must be valid UTF-8.
std::optional<SyntaxFault> yarn_lock_fault(std::string_view text);
void add_pnpm_lock(ProjectPackages& found, std::string_view text, const std::string& own);

// A part of read_python(). Reads a requirement in the form of PEP 508, which is at `offset` in the text of
// `path`. If the range is malformed, records a problem and sets `is_valid` to false. If there is no name,
// records a problem and returns nullopt.
std::optional<Dependency> parse_requirement(PackageFiles& files, const std::string& path,
                                            std::string_view text, std::size_t offset,
                                            std::string_view written);
// Reads a requirements file, and those that it includes with -r. Adds requirements with an exact version to
// `pins`.
void read_requirements(ProjectPackages& found, PackageFiles& files, const std::string& path,
                       std::vector<std::pair<std::string, LockedPackage>>& pins);
void read_python_lock(ProjectPackages& found, PackageFiles& files);

}  // namespace snapgen::core

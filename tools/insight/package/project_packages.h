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

namespace snapgen::core {

// One entry of a manifest.
struct Dependency {
  std::string name;       // As written.
  std::string range;      // Empty: any version.
  std::string manifest;   // The file's path.
  std::string source;     // Where it comes from instead of the registry; mostly empty.
  bool is_local = false;  // A package of the same workspace, which is not locked like others.
  bool is_valid = true;   // False: the range is malformed, and a problem reports it.
  bool is_tool = false;   // Needed only to build the package; lock files leave it out.
};

// One entry of a lock file.
struct LockedPackage {
  std::string version;
  std::string source;               // Empty: unknown, or the registry.
  std::vector<std::string> ranges;  // The ranges that it was chosen for, if the file has them.
  bool is_foreign = false;          // Its source is not the ecosystem's registry.
  bool has_hash = true;             // False: the file should have one.
  bool has_script = false;          // It runs a program when it is installed.
  bool is_direct = false;           // It is the version that the manifest's folder uses.
};

struct ProjectPackages {
  Ecosystem ecosystem = Ecosystem::npm;
  std::vector<std::string> manifests;   // Paths of the manifests that were read.
  std::vector<std::string> lock_files;  // Paths of the lock files that were read.
  bool has_unread_manifest = false;     // A part of a manifest is not understood.
  bool has_unread_lock = false;         // The same for a lock file.
  // By comparable name.
  std::map<std::string, std::vector<Dependency>> declared;
  std::map<std::string, std::vector<LockedPackage>> locked;

  bool is_empty() const { return manifests.empty() && !has_unread_manifest; }
  void declare(Dependency dependency);
  void lock(const std::string& name, LockedPackage package);
};

// A lock file, with the folder that it is in.
struct LockFile {
  std::string_view name;
  std::string folder;
  std::string path;
  std::string text;
};

// Reads the files of a folder, and collects what is wrong with them.
class PackageFiles {
 public:
  // `root` must outlive this. `folder`: a path.
  PackageFiles(const Root& root, std::string folder) : root_(root), folder_(std::move(folder)) {}

  const std::string& folder() const { return folder_; }
  std::string path_of(std::string_view name) const;
  // The names of the folder's files, or of a folder in it; sorted. Empty if it cannot be read.
  std::vector<std::string> names_in(std::string_view folder) const;
  // The folder and those above it, the nearest first.
  std::vector<std::string> folders_up() const;

  // The text of a manifest or lock file; nullopt if there is no such file. If it cannot be read, or is not
  // UTF-8, that is a problem, and `is_unread` is set.
  std::optional<std::string> manifest(const std::string& path, bool& is_unread);
  std::optional<std::string> lock_file(const std::string& path, bool& is_unread);
  // The first lock file of these names, in the folder or else in the nearest above it, which is added to the
  // lock files that `found` has. nullopt if there is none, or if it cannot be read.
  std::optional<LockFile> nearest_lock(ProjectPackages& found, std::initializer_list<std::string_view> names);
  // The text of an installed package's file; nullopt if it is missing or cannot be read.
  std::optional<std::string> installed(const std::string& path) const;

  // Parses JSON or TOML. Problems are recorded, and set `is_unread`. nullopt if nothing was understood; after
  // a syntax error in JSON the tree has the part before it.
  std::optional<json::Node> json_of(const std::string& path, std::string_view text, bool& is_unread);
  std::optional<json::Node> toml_of(const std::string& path, std::string_view text, bool& is_unread);

  // Records "path:line:column: message." for an offset in a text.
  void problem(const std::string& path, std::string_view text, std::size_t offset,
               const std::string& message);
  const std::vector<std::string>& problems() const { return problems_; }

 private:
  std::optional<std::string> read(const std::string& path, std::int64_t bytes_max, bool& is_unread);
  std::optional<json::Node> tree_of(const std::string& path, std::string_view text, json::Document document,
                                    bool& is_unread);

  const Root& root_;
  const std::string folder_;
  std::vector<std::string> problems_;
};

// The member of an object if it is a string, or else an empty text.
std::string text_in(const json::Node& node, std::string_view key);
std::string text_of_node(const json::Node* node);

// Each reads the manifests and lock files of one ecosystem.
ProjectPackages read_npm(PackageFiles& files);
ProjectPackages read_python(PackageFiles& files);
ProjectPackages read_crates(PackageFiles& files);
ProjectPackages read_go(PackageFiles& files);

// Whether an address of a locked package is in one of the registries of npm and Yarn.
bool is_npm_registry(std::string_view source);
// Whether a version in package.json is a URL, a path or a repository instead of a range.
bool is_npm_source(std::string_view range);

// Parts of read_npm(). `own`: the path of the manifest's folder from the lock file's, or empty.
void lock_from_yarn(ProjectPackages& found, std::string_view text);
void lock_from_pnpm(ProjectPackages& found, std::string_view text, const std::string& own);

// Parts of read_python().
// Reads a requirement in the form of PEP 508, which is at `offset` in the text of `path`. A malformed range
// is a problem and leaves `is_valid` false; nullopt if there is no name, which is a problem too.
std::optional<Dependency> requirement_of(PackageFiles& files, const std::string& path, std::string_view text,
                                         std::size_t offset, std::string_view written);
// Reads a requirements file, and those that it includes with -r. Adds those with exact versions to `pins`.
void read_requirements(ProjectPackages& found, PackageFiles& files, const std::string& path,
                       std::vector<std::pair<std::string, LockedPackage>>& pins);
void read_python_lock(ProjectPackages& found, PackageFiles& files);

}  // namespace snapgen::core

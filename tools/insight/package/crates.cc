// Reads Cargo.toml and Cargo.lock.
#include <utility>

#include "tools/engine/files/path.h"
#include "tools/insight/package/project_packages.h"

namespace snapgen::core {
namespace {

bool is_crates_io(std::string_view source) {
  return source == "registry+https://github.com/rust-lang/crates.io-index" ||
         source == "sparse+https://index.crates.io/";
}

// CrateManifest reads one Cargo.toml.
class CrateManifest {
 public:
  CrateManifest(ProjectPackages& found, PackageFiles& files, std::string path, std::string text)
      : found_(found), files_(files), path_(std::move(path)), text_(std::move(text)) {}

  void run() {
    root_ = files_.toml_of(path_, text_, found_.has_unread_manifest);
    if (!root_) return;
    declare_lists(*root_);
    if (const json::Node* targets = root_->find("target"))
      for (const json::Member& target : targets->members) declare_lists(target.value);
    if (const json::Node* workspace = root_->find("workspace"))
      if (const json::Node* list = workspace->find("dependencies")) declare_list(*list);
  }

 private:
  void declare_lists(const json::Node& table) {
    for (const std::string_view kind : {"dependencies", "dev-dependencies", "build-dependencies"})
      if (const json::Node* list = table.find(kind)) declare_list(*list);
  }

  void declare_list(const json::Node& list) {
    for (const json::Member& each : list.members) {
      const bool is_inherited = each.value.find("workspace") != nullptr;
      const json::Node* value = is_inherited ? inherited(each.key) : &each.value;
      Dependency dependency{.name = each.key, .range = {}, .manifest = path_, .source = {}};
      if (value == nullptr) {
        dependency.is_valid = false;
        files_.add_problem(path_, text_, each.value.offset,
                           "no [workspace.dependencies] above has " + each.key);
      } else {
        describe(dependency, *value, each.value.offset);
      }
      found_.add_declared(std::move(dependency));
    }
  }

  void describe(Dependency& dependency, const json::Node& value, std::size_t offset) {
    if (const std::string renamed = string_member(value, "package"); !renamed.empty())
      dependency.name = renamed;
    dependency.range = value.is(json::Kind::string) ? value.text : string_member(value, "version");
    dependency.source = string_member(value, "git");
    if (const std::string registry = string_member(value, "registry"); !registry.empty())
      dependency.source = "the registry " + registry;
    dependency.is_local = value.find("path") != nullptr;
    const bool needs_range = dependency.source.empty() && !dependency.is_local;
    dependency.is_valid =
        dependency.range.empty() ? !needs_range : is_range(Ecosystem::cargo, dependency.range);
    if (!dependency.is_valid)
      files_.add_problem(path_, text_, offset,
                         "\"" + dependency.range + "\" is not a version requirement of " + dependency.name);
  }

  // Returns the entry of [workspace.dependencies], from this Cargo.toml or from the nearest folder above it
  // that has a workspace.
  const json::Node* inherited(std::string_view name) {
    if (!workspace_) {
      workspace_.emplace();
      for (const std::string& folder : files_.ancestor_folders()) {
        const std::string path = joined_path(folder, "Cargo.toml");
        bool is_unread = false;
        const std::optional<std::string> text = files_.read_manifest(path, is_unread);
        std::optional<json::Node> root = text ? files_.toml_of(path, *text, is_unread) : std::nullopt;
        const json::Node* workspace = root ? root->find("workspace") : nullptr;
        if (workspace == nullptr) continue;
        if (const json::Node* list = workspace->find("dependencies")) *workspace_ = *list;
        break;
      }
    }
    return workspace_->find(name);
  }

  ProjectPackages& found_;
  PackageFiles& files_;
  const std::string path_;
  const std::string text_;
  std::optional<json::Node> root_;
  std::optional<json::Node> workspace_;
};

void lock_crates(ProjectPackages& found, const json::Node& root) {
  const json::Node* packages = root.find("package");
  // Version 1 of the lock file has the checksums in a separate table, with keys such as "checksum name 1.2.3
  // (source)".
  const json::Node* metadata = root.find("metadata");
  if (packages == nullptr) return;
  for (const json::Node& package : packages->items) {
    const std::string name = string_member(package, "name");
    LockedPackage locked{.version = string_member(package, "version"),
                         .source = string_member(package, "source"),
                         .ranges = {}};
    const std::string old_key = "checksum " + name + " " + locked.version + " (" + locked.source + ")";
    locked.is_foreign = !locked.source.empty() && !is_crates_io(locked.source);
    locked.has_hash = package.find("checksum") != nullptr || locked.source.empty() ||
                      locked.source.starts_with("git+") ||
                      (metadata != nullptr && metadata->find(old_key) != nullptr);
    if (is_crates_io(locked.source)) locked.source.clear();
    found.add_locked(name, std::move(locked));
  }
}

}  // namespace

ProjectPackages read_crates(PackageFiles& files) {
  ProjectPackages found{.ecosystem = Ecosystem::cargo};
  const std::string path = files.path_of("Cargo.toml");
  std::optional<std::string> text = files.read_manifest(path, found.has_unread_manifest);
  if (!text) return found;
  found.manifests.push_back(path);
  CrateManifest(found, files, path, *std::move(text)).run();
  if (const std::optional<LockFile> lock = files.read_nearest_lock(found, {"Cargo.lock"}))
    if (const std::optional<json::Node> root = files.toml_of(lock->path, lock->text, found.has_unread_lock))
      lock_crates(found, *root);
  return found;
}

}  // namespace snapgen::core

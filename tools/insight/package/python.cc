// Reads pyproject.toml and Pipfile, and the lock files of uv, Poetry, PDM and Pipenv.
#include <algorithm>
#include <utility>

#include "tools/engine/base/plain_text.h"
#include "tools/engine/files/path.h"
#include "tools/insight/package/project_packages.h"

namespace snapgen::core {
namespace {

bool is_official_index(std::string_view url) {
  return url.starts_with("https://pypi.org/") || url.starts_with("https://files.pythonhosted.org/");
}

// Returns a value one or more levels below `node`; null if it is missing.
const json::Node* node_at(const json::Node& node, std::initializer_list<std::string_view> keys) {
  const json::Node* found = &node;
  for (const std::string_view key : keys)
    if (found != nullptr) found = found->find(key);
  return found;
}

// PythonManifest reads one manifest in TOML.
class PythonManifest {
 public:
  PythonManifest(ProjectPackages& found, PackageFiles& files, const std::string& path, std::string_view text)
      : found_(found), files_(files), path_(path), text_(text) {}

  void read_pyproject(const json::Node& root) {
    if (const json::Node* list = node_at(root, {"project", "dependencies"})) requirements(*list);
    for (const json::Node* groups :
         {node_at(root, {"project", "optional-dependencies"}), node_at(root, {"dependency-groups"}),
          node_at(root, {"tool", "pdm", "dev-dependencies"})})
      if (groups != nullptr)
        for (const json::Member& group : groups->members) requirements(group.value);
    if (const json::Node* list = node_at(root, {"tool", "uv", "dev-dependencies"})) requirements(*list);
    if (const json::Node* list = node_at(root, {"build-system", "requires"})) requirements(*list, true);
    for (const json::Node* table : {node_at(root, {"tool", "poetry", "dependencies"}),
                                    node_at(root, {"tool", "poetry", "dev-dependencies"})})
      if (table != nullptr) declare_table(*table);
    if (const json::Node* groups = node_at(root, {"tool", "poetry", "group"}))
      for (const json::Member& group : groups->members)
        if (const json::Node* table = group.value.find("dependencies")) declare_table(*table);
    if (const json::Node* sources = node_at(root, {"tool", "uv", "sources"})) take_sources(*sources);
  }

  void read_pipfile(const json::Node& root) {
    for (const std::string_view kind : {"packages", "dev-packages"})
      if (const json::Node* table = root.find(kind)) declare_table(*table);
  }

 private:
  void requirements(const json::Node& list, bool is_tool = false) {
    if (!list.is(json::Kind::array)) {
      found_.has_unread_manifest = true;
      return files_.add_problem(path_, text_, list.offset, "expected an array of requirements");
    }
    for (const json::Node& item : list.items) {
      // Skips items that are not requirements, such as {include-group = "test"}.
      if (!item.is(json::Kind::string)) continue;
      // The requirement begins behind the opening quote.
      std::optional<Dependency> dependency =
          parse_requirement(files_, path_, text_, item.offset + 1, item.text);
      if (!dependency) continue;
      dependency->is_tool = is_tool;
      found_.add_declared(*std::move(dependency));
    }
  }

  // Reads a table of Poetry or Pipenv. Its values are ranges (name = "range"), tables, or arrays of tables.
  void declare_table(const json::Node& table) {
    for (const json::Member& each : table.members) {
      if (each.key == "python") continue;
      const bool is_list = each.value.is(json::Kind::array) && !each.value.items.empty();
      const json::Node& value = is_list ? each.value.items.front() : each.value;
      Dependency dependency{.name = each.key, .range = {}, .manifest = path_, .source = {}};
      dependency.range = value.is(json::Kind::string) ? value.text : string_member(value, "version");
      for (const std::string_view key : {"git", "url", "file"})
        if (dependency.source.empty()) dependency.source = string_member(value, key);
      dependency.is_local = value.find("path") != nullptr;
      dependency.is_valid = is_range(Ecosystem::pypi, dependency.range);
      if (!dependency.is_valid)
        files_.add_problem(path_, text_, value.offset,
                           "\"" + dependency.range + "\" is not a range of versions of " + each.key);
      found_.add_declared(std::move(dependency));
    }
  }

  void take_sources(const json::Node& sources) {
    for (const json::Member& each : sources.members) {
      const auto at = found_.declared.find(comparable_name(Ecosystem::pypi, each.key));
      if (at == found_.declared.end()) continue;
      const bool is_list = each.value.is(json::Kind::array) && !each.value.items.empty();
      const json::Node& value = is_list ? each.value.items.front() : each.value;
      for (Dependency& dependency : at->second) {
        for (const std::string_view key : {"git", "url"})
          if (dependency.source.empty()) dependency.source = string_member(value, key);
        if (value.find("path") != nullptr || value.find("workspace") != nullptr) dependency.is_local = true;
      }
    }
  }

  ProjectPackages& found_;
  PackageFiles& files_;
  const std::string path_;
  const std::string_view text_;
};

// Returns whether the lock file has hashes for the files of a package.
bool has_hashes(const json::Node& package) {
  const auto has_hash = [](const json::Node& file) {
    return file.find("hash") != nullptr || file.find("hashes") != nullptr;
  };
  for (const std::string_view key : {"files", "wheels"})
    if (const json::Node* list = package.find(key))
      if (std::any_of(list->items.begin(), list->items.end(), has_hash)) return true;
  for (const std::string_view key : {"sdist", "archive"})
    if (const json::Node* file = package.find(key); file != nullptr && has_hash(*file)) return true;
  return false;
}

// Reads an entry of [[package]] in the lock file of uv, Poetry or PDM, or of [[packages]] in pylock.toml.
LockedPackage python_locked(const json::Node& package, const json::Node* old_files) {
  LockedPackage locked{.version = string_member(package, "version"), .source = {}, .ranges = {}};
  bool is_local = package.find("directory") != nullptr;
  bool is_git = package.find("git") != nullptr;
  if (const json::Node* source = package.find("source")) {
    const std::string type = string_member(*source, "type");
    is_git = is_git || type == "git" || source->find("git") != nullptr;
    for (const std::string_view key : {"registry", "git", "url"})
      if (locked.source.empty()) locked.source = string_member(*source, key);
    for (const std::string_view key : {"path", "editable", "virtual", "directory"})
      is_local = is_local || source->find(key) != nullptr || type == key;
  }
  // In the lock file of PDM and in pylock.toml, the package itself has these members.
  for (const std::string_view key : {"git", "url"})
    if (locked.source.empty()) locked.source = string_member(package, key);
  locked.is_foreign = !is_local && !locked.source.empty() && !is_official_index(locked.source);
  // A package from git has no hash, because the id of its commit replaces it.
  locked.has_hash =
      is_local || is_git || has_hashes(package) || (old_files != nullptr && !old_files->items.empty());
  return locked;
}

// Reads Pipfile.lock.
void add_pipenv_lock(ProjectPackages& found, const json::Node& root) {
  for (const std::string_view kind : {"default", "develop"}) {
    const json::Node* packages = root.find(kind);
    if (packages == nullptr) continue;
    for (const json::Member& each : packages->members) {
      std::string version = string_member(each.value, "version");
      if (version.starts_with("==")) version.erase(0, 2);
      LockedPackage locked{
          .version = std::move(version), .source = string_member(each.value, "git"), .ranges = {}};
      if (locked.source.empty()) locked.source = string_member(each.value, "file");
      locked.is_foreign = !locked.source.empty();
      locked.has_hash = locked.is_foreign || each.value.find("path") || each.value.find("hashes");
      found.add_locked(each.key, std::move(locked));
    }
  }
}

bool is_requirements_name(std::string_view name) {
  return name.find("requirements") != std::string_view::npos &&
         (name.ends_with(".txt") || name.ends_with(".in"));
}

}  // namespace

void read_python_lock(ProjectPackages& found, PackageFiles& files) {
  const std::optional<LockFile> lock =
      files.read_nearest_lock(found, {"uv.lock", "poetry.lock", "pdm.lock", "pylock.toml", "Pipfile.lock"});
  if (!lock) return;
  const bool is_json = lock->name == "Pipfile.lock";
  const std::optional<json::Node> root = is_json
                                             ? files.json_of(lock->path, lock->text, found.has_unread_lock)
                                             : files.toml_of(lock->path, lock->text, found.has_unread_lock);
  if (!root) return;
  if (is_json) return add_pipenv_lock(found, *root);
  const json::Node* packages = root->find(lock->name == "pylock.toml" ? "packages" : "package");
  const json::Node* old_files = node_at(*root, {"metadata", "files"});
  if (packages == nullptr) return;
  for (const json::Node& package : packages->items) {
    const std::string name = string_member(package, "name");
    found.add_locked(name, python_locked(package, old_files ? old_files->find(name) : nullptr));
  }
}

ProjectPackages read_python(PackageFiles& files) {
  ProjectPackages found{.ecosystem = Ecosystem::pypi};
  std::vector<std::pair<std::string, LockedPackage>> pins;
  for (const std::string_view name : {"pyproject.toml", "Pipfile"}) {
    const std::string path = files.path_of(name);
    const std::optional<std::string> text = files.read_manifest(path, found.has_unread_manifest);
    if (!text) continue;
    found.manifests.push_back(path);
    const std::optional<json::Node> root = files.toml_of(path, *text, found.has_unread_manifest);
    if (!root) continue;
    PythonManifest manifest(found, files, path, *text);
    if (name == "Pipfile")
      manifest.read_pipfile(*root);
    else
      manifest.read_pyproject(*root);
  }
  for (const std::string& name : files.names_in(files.folder()))
    if (is_requirements_name(name)) read_requirements(found, files, files.path_of(name), pins);
  const std::string folder = files.path_of("requirements");
  for (const std::string& name : files.names_in(folder))
    if (name.ends_with(".txt") || name.ends_with(".in"))
      read_requirements(found, files, joined_path(folder, name), pins);
  if (found.is_empty()) return found;
  read_python_lock(found, files);
  // If there is no lock file, exact versions in a requirements file count as locked.
  if (found.lock_files.empty() && !found.has_unread_lock)
    for (auto& [name, pin] : pins) found.add_locked(name, std::move(pin));
  return found;
}

}  // namespace snapgen::core

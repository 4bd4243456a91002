#include <algorithm>

#include "tools/engine/files/path.h"
#include "tools/insight/imports/resolve.h"

namespace snapgen::core {
namespace {

std::string module_path(std::string_view module) {
  std::string path(module);
  std::ranges::replace(path, '.', '/');
  return path;
}

// Returns the paths of a module in packages whose folder is configured, that of the longest name first.
std::vector<std::string> configured_paths(const Project& project, std::string_view module) {
  std::vector<std::string> paths;
  for (std::size_t end = module.size(); end != module.npos;
       end = end == 0 ? module.npos : module.rfind('.', end - 1)) {
    const auto package = project.python_packages.find(module.substr(0, end));
    if (package != project.python_packages.end())
      paths.push_back(package->second + module_path(module.substr(end)));
  }
  return paths;
}

}  // namespace

void Resolver::resolve_python(FileIndex from, const Import& import, std::vector<FileIndex>& out) const {
  // Appends the packages that contain `path`, because Python runs their __init__.py before the module. It ran
  // those that contain `from` before this import.
  auto take_parents = [&](std::string_view path) {
    for (std::string_view folder = parent_path(path); !folder.empty(); folder = parent_path(folder)) {
      if (is_at_or_below_folder(files_.path(from), folder)) return;
      std::optional<FileIndex> index = files_.find(joined_path(folder, "__init__.py"));
      if (!index) return;
      out.push_back(*index);
    }
  };
  // Appends the package at `path` or, if there is none, the module, and its stub file (.pyi), which declares
  // its types.
  auto take = [&](const std::string& path) {
    auto take_file = [&](const std::string& stem) {
      bool found = false;
      for (const char* ending : {".py", ".pyi"}) {
        std::optional<FileIndex> index = files_.find(stem + ending);
        if (!index) continue;
        if (*index != from) out.push_back(*index);
        found = true;
      }
      return found;
    };
    const bool found = take_file(path + "/__init__") || take_file(path);
    if (found) take_parents(path);
    return found;
  };
  // Appends what `from a.b import c, d` imports: the modules among c and d; and a.b unless both are modules.
  auto take_all = [&](const std::string& path) {
    bool every_member = !import.members.empty();
    bool any = false;
    for (const std::string& member : import.members) {
      bool module = take(joined_path(path, member));
      any = any || module;
      every_member = every_member && module;
    }
    if (every_member) return true;
    bool package = !path.empty() && take(path);
    return package || any;
  };

  std::size_t dots = std::min(import.name.find_first_not_of('.'), import.name.size());
  std::string rest = module_path(std::string_view(import.name).substr(dots));
  std::string folder(parent_path(files_.path(from)));
  if (dots > 0) {
    for (std::size_t i = 1; i < dots; ++i) {
      if (folder.empty()) return;
      folder.resize(parent_path(folder).size());
    }
    take_all(rest.empty() ? folder : joined_path(folder, rest));
    return;
  }
  // Absolute imports are first searched in the folder that contains the file's outermost package, because
  // Python first searches the folder of the script that it runs.
  while (files_.find(joined_path(folder, "__init__.py")) && !folder.empty())
    folder.resize(parent_path(folder).size());
  if (take_all(joined_path(folder, rest))) return;
  for (const std::string& path : configured_paths(project_, import.name))
    if (take_all(path)) return;
  for (const std::string& root : project_.python_roots) {
    if (take_all(joined_path(root, rest))) return;
  }
  // The script that Python runs may be in a folder above.
  const std::string_view first = std::string_view(rest).substr(0, rest.find('/'));
  while (!folder.empty()) {
    folder.resize(parent_path(folder).size());
    if (files_.has_prefix(joined_path(folder, first)) && take_all(joined_path(folder, rest))) return;
  }
}

}  // namespace snapgen::core

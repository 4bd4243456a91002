#include "tools/insight/imports/resolve.h"

#include <algorithm>

#include "tools/engine/files/path.h"
#include "tools/insight/imports/language.h"

namespace snapgen::core {

Resolver::Resolver(const FileSet& files, const Project& project)
    : files_(files), project_(project), typescript_(files.size()) {
  for (std::size_t i = 0; i < files.size(); ++i) {
    const std::string& path = files.path(static_cast<FileIndex>(i));
    const Language language = language_of(path);
    if (language == Language::javascript || language == Language::component)
      typescript_[i] = project.typescript_of(path);
  }
  map_rust();
}

void Resolver::resolve(FileIndex from, Language language, const Import& import,
                       std::vector<FileIndex>& out) const {
  if (import.kind == ImportKind::computed) return;
  std::size_t begin = out.size();
  switch (language) {
    case Language::none: return;
    case Language::component:
    case Language::javascript: resolve_javascript(from, import, out); break;
    case Language::python: resolve_python(from, import, out); break;
    case Language::c: resolve_c(from, import, out); break;
    case Language::go: resolve_go(from, import, out); break;
    case Language::rust: resolve_rust(from, import, out); break;
  }
  auto first = out.begin() + static_cast<std::ptrdiff_t>(begin);
  std::sort(first, out.end());
  out.erase(std::unique(first, out.end()), out.end());
}

const std::string* Resolver::go_module_of(std::string_view from, std::string_view name) const {
  for (std::string_view at = parent_path(from);; at = parent_path(at)) {
    if (const auto replaced = project_.go_replacements.find(at); replaced != project_.go_replacements.end())
      if (const auto module = replaced->second.find(name); module != replaced->second.end())
        return &module->second;
    if (at.empty()) break;
  }
  const auto module = project_.go_modules.find(name);
  return module == project_.go_modules.end() ? nullptr : &module->second;
}

void Resolver::resolve_go(FileIndex from, const Import& import, std::vector<FileIndex>& out) const {
  const auto take_package = [&](const std::string& folder) {
    const std::size_t had = out.size();
    const auto [first, last] = files_.below(folder);
    for (FileIndex i = first; i < last; ++i) {
      const std::string& path = files_.path(i);
      if (parent_path(path) == folder && path.ends_with(".go") && !is_go_test(path)) out.push_back(i);
    }
    return out.size() > had;
  };
  // The module of an import is the one with the longest module path that is a prefix of the import.
  for (std::string_view name = import.name; !name.empty(); name = parent_path(name)) {
    const std::string* module = go_module_of(files_.path(from), name);
    if (module == nullptr) continue;
    if (const auto folder = normalized_path(*module, std::string_view(import.name).substr(name.size())))
      take_package(*folder);
    return;
  }
  // The packages of other repositories may be in the folder `vendor` of the module.
  for (std::string_view at = parent_path(files_.path(from));; at = parent_path(at)) {
    if (take_package(joined_path(joined_path(at, "vendor"), import.name)) || at.empty()) return;
  }
}

}  // namespace snapgen::core

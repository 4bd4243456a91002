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
    case Language::go: resolve_go(import, out); break;
    case Language::rust: resolve_rust(from, import, out); break;
  }
  auto first = out.begin() + static_cast<std::ptrdiff_t>(begin);
  std::sort(first, out.end());
  out.erase(std::unique(first, out.end()), out.end());
}

void Resolver::resolve_go(const Import& import, std::vector<FileIndex>& out) const {
  // The module of an import is the one with the longest module path that is a prefix of the import.
  for (std::string_view name = import.name;; name = parent_path(name)) {
    if (name.empty()) return;
    auto module = project_.go_modules.find(name);
    if (module == project_.go_modules.end()) continue;
    std::optional<std::string> folder =
        normalized_path(module->second, std::string_view(import.name).substr(name.size()));
    if (!folder) return;
    auto [first, last] = files_.below(*folder);
    for (FileIndex i = first; i < last; ++i) {
      const std::string& path = files_.path(i);
      if (parent_path(path) == *folder && path.ends_with(".go") && !path.ends_with("_test.go"))
        out.push_back(i);
    }
    return;
  }
}

}  // namespace snapgen::core

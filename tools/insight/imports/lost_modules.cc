#include "tools/insight/imports/lost_modules.h"

#include <algorithm>
#include <array>
#include <optional>

#include "runtime/base/ascii.h"
#include "tools/engine/base/plain_text.h"
#include "tools/engine/files/path.h"

namespace snapgen::core {
namespace {

constexpr std::array<std::string_view, 4> module_endings = {".py", ".pyi", "/__init__.py", "/__init__.pyi"};
constexpr std::string_view package_file = "__init__.py";

// Returns the path of the module in this file, without the ending.
std::string python_module_of(std::string_view file) {
  if (base_name(file) == package_file) return std::string(parent_path(file));
  return std::string(file.substr(0, file.rfind('.')));
}

bool is_module(const FileSet& files, const std::string& path) {
  // A folder with sources is a package, too.
  return files.has_folder(path) || std::ranges::any_of(module_endings, [&](std::string_view ending) {
           return files.find(path + std::string(ending)).has_value();
         });
}

// Returns the folder that contains the module `name`, a path such as "shop/store", or a package above it, if
// one of the deleted modules is it.
std::optional<std::string> root_of(const std::vector<std::string>& deleted, std::string_view name) {
  for (; !name.empty(); name = parent_path(name))
    for (const std::string& each : deleted) {
      if (each == name) return std::string();
      if (each.ends_with("/" + std::string(name))) return each.substr(0, each.size() - name.size() - 1);
    }
  return std::nullopt;
}

// Returns whether a package above the module exists, below the folder `root`. Then Python searches only
// there.
bool is_in_package(const FileSet& files, std::string_view root, std::string_view module) {
  for (std::string_view at = parent_path(module); at.size() > root.size(); at = parent_path(at))
    if (files.find(joined_path(at, package_file))) return true;
  return false;
}

// Returns whether any folder has the module `name`, a path such as "shop/store".
bool is_elsewhere(const FileSet& files, const std::string& name) {
  const auto has = [&](const std::string& path) {
    return std::ranges::any_of(files.files_named(base_name(path)), [&](FileIndex file) {
      return files.path(file) == path || files.path(file).ends_with("/" + path);
    });
  };
  return has(name + ".py") || has(joined_path(name, package_file));
}

// Returns whether the text of a package may define the name: it has the word, except as a part of a path of
// modules, or defines names that cannot be read from it.
bool may_define(std::string_view text, std::string_view name) {
  for (std::string_view mark : {"import *", "__getattr__", "globals(", "setattr(", "exec("})
    if (text.find(mark) != std::string_view::npos) return true;
  for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    const bool begins = at == 0 || (!is_ascii_word_character(text[at - 1]) && text[at - 1] != '.');
    if (begins && (end == text.size() || !is_ascii_word_character(text[end]))) return true;
  }
  return false;
}

// Returns whether the work tree has a file or a folder that Python would take for the module.
bool may_exist(const std::string& path, const TreeProbe& tree) {
  constexpr std::array<std::string_view, 6> endings = {".py", ".pyi", ".pyc", ".pyx", ".pyd", ".so"};
  const std::optional<std::vector<std::string>> names = tree.names_in(std::string(parent_path(path)));
  if (!names) return true;
  const std::string_view module = base_name(path);
  for (std::string_view name : *names) {
    const bool has_ending =
        std::ranges::any_of(endings, [&](std::string_view ending) { return name.ends_with(ending); });
    if (has_ending && name.starts_with(module) && name[module.size()] == '.') return true;
    if (name != module) continue;
    // Python leaves this folder when the modules are gone.
    const std::optional<std::vector<std::string>> inner = tree.names_in(path);
    if (!inner || std::ranges::any_of(*inner, [](const std::string& each) { return each != "__pycache__"; }))
      return true;
  }
  return tree.may_be_omitted(path) || tree.may_be_omitted(path + ".py");
}

}  // namespace

std::vector<LostModule> lost_modules(std::string_view from, const Import& import,
                                     const std::vector<std::string>& deleted, const FileSet& files) {
  std::vector<std::string> missing;
  for (const std::string& file : deleted)
    if (file.ends_with(".py")) missing.push_back(python_module_of(file));
  const std::size_t dots = std::min(import.name.find_first_not_of('.'), import.name.size());
  std::string name = import.name.substr(dots);
  std::ranges::replace(name, '.', '/');
  std::string root(parent_path(from));
  for (std::size_t i = 1; i < dots; ++i) root.resize(parent_path(root).size());
  if (dots == 0) {
    std::optional<std::string> found;
    for (const std::string& member : import.members)
      if (!found) found = root_of(missing, joined_path(name, member));
    if (!found) found = root_of(missing, name);
    if (!found) return {};
    root = *std::move(found);
  }
  const auto is_certain = [&](const std::string& path) {
    return dots > 0 || (is_in_package(files, root, path) &&
                        !is_elsewhere(files, root.empty() ? path : path.substr(root.size() + 1)));
  };
  const std::string path = name.empty() ? root : joined_path(root, name);
  std::vector<LostModule> lost;
  if (!is_module(files, path)) {
    if (is_certain(path)) lost.push_back({.name = import.name, .path = path});
    return lost;
  }
  std::vector<std::string> package_files;
  for (std::string_view ending : module_endings)
    if (files.find(path + std::string(ending))) package_files.push_back(path + std::string(ending));
  for (const std::string& member : import.members) {
    const std::string module = joined_path(path, member);
    if (std::ranges::find(missing, module) == missing.end() || is_module(files, module) ||
        !is_certain(module))
      continue;
    lost.push_back({.name = import.name + (import.name.ends_with('.') ? "" : ".") + member,
                    .path = module,
                    .member = member,
                    .package_files = package_files});
  }
  return lost;
}

bool is_certainly_lost(const LostModule& module, const TreeProbe& tree) {
  if (may_exist(module.path, tree) || has_import_hook(module.path, tree)) return false;
  return std::ranges::none_of(module.package_files, [&](const std::string& file) {
    return may_define(tree.text_of(file), module.member);
  });
}

bool has_import_hook(std::string_view path, const TreeProbe& tree) {
  for (std::string_view folder = parent_path(path); !folder.empty(); folder = parent_path(folder)) {
    const std::string text = tree.text_of(joined_path(folder, package_file));
    for (std::string_view mark : {"__path__", "meta_path", "sys.modules"})
      if (text.find(mark) != std::string::npos) return true;
  }
  return false;
}

}  // namespace snapgen::core

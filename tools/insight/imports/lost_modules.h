#pragma once
// Finds the modules of Python that an import names, and that were deleted or renamed.
#include <string>
#include <string_view>
#include <vector>

#include "tools/insight/imports/file_set.h"
#include "tools/insight/imports/relative_imports.h"
#include "tools/insight/imports/scan.h"

namespace snapgen::core {

struct LostModule {
  std::string name;  // The module as the import names it, such as "shop.store" or ".store".
  std::string path;  // The path that it had, without the ending: "src/shop/store".
  // If the import takes the module from a package, as in `from shop import store`: its last name, and the
  // files of the package, which may define that name themselves.
  std::string member = {};
  std::vector<std::string> package_files = {};
};

// Returns the modules of `import`, in the file `from`, that no file of `files` has. `deleted` has the deleted
// files that the import resolved to before. Of an absolute import, returns only modules that no other package
// can have.
std::vector<LostModule> lost_modules(std::string_view from, const Import& import,
                                     const std::vector<std::string>& deleted, const FileSet& files);

// Returns whether neither another file, nor an ignored one, nor code of the package can be the module.
bool is_certainly_lost(const LostModule& module, const TreeProbe& tree);

// Returns whether a package above the module changes how its modules are found. `path` is that of the module,
// without the ending.
bool has_import_hook(std::string_view path, const TreeProbe& tree);

}  // namespace snapgen::core

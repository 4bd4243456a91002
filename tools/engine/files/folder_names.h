#pragma once
// Lists the names in a folder, including those that are hidden from tools.
#include <string>
#include <vector>

namespace snapgen::core {

struct FolderNames {
  std::vector<std::string> names;  // Sorted, without "." and "..".
  int error = 0;                   // The errno of a failure; `names` then has those that were read before it.
};

FolderNames names_in_folder(const std::string& folder);
FolderNames names_in_folder(int folder);  // `folder` is a descriptor, whose position remains.

}  // namespace snapgen::core

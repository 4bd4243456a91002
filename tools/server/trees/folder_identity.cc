#include "tools/server/trees/folder_identity.h"

#include <sys/stat.h>

namespace snapgen::tools {

std::optional<FolderIdentity> identity_of(const std::string& path) {
  struct stat st;
  if (::stat(path.c_str(), &st) != 0) return std::nullopt;
  return FolderIdentity{.device = st.st_dev, .inode = st.st_ino};
}

}  // namespace snapgen::tools

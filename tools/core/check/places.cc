#include "tools/core/check/places.h"

#include "tools/core/path/path.h"

namespace snapgen::core {

std::string Places::path(std::string_view printed) const {
  std::string_view inner = printed;
  if (inner.starts_with("file://")) inner.remove_prefix(7);
  if (inner.starts_with('/')) {
    // The root itself may be printed with a part of its own that is a symlink: then it is none of ours.
    if (inner.size() <= root.size() + 1 || !inner.starts_with(root) || inner[root.size()] != '/')
      return std::string(inner);
    return resolved("", inner.substr(root.size() + 1)).value_or(std::string(inner));
  }
  return resolved(from, inner).value_or(std::string(printed));
}

}  // namespace snapgen::core

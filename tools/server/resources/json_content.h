#pragma once
// The content of a resource that is a generated struct.
#include <string>

#include "runtime/mcp/written.h"
#include "tools/server/resources/route.h"

namespace snapgen::tools {

template <class T>
ResourceContent json_content(const T& value) {
  return {.bytes = mcp::written(value), .mime_type = std::string(json_type)};
}

}  // namespace snapgen::tools

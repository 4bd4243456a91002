#pragma once
// Makes the content of a resource from a generated struct, as JSON.
#include <string>

#include "runtime/json/values.h"
#include "tools/server/resources/route.h"

namespace snapgen::tools {

template <class T>
ResourceContent json_content(const T& value) {
  return {.bytes = json::to_json(value), .mime_type = std::string(json_type)};
}

}  // namespace snapgen::tools

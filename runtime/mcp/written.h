#pragma once
// Serializes a generated struct to JSON.
#include <string>

#include "runtime/json/writer.h"

namespace snapgen::mcp {

template <class T>
std::string written(const T& value) {
  std::string out;
  json::Writer writer(out);
  write(writer, value);
  return out;
}

}  // namespace snapgen::mcp

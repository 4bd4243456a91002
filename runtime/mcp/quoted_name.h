#pragma once
// Quotes names that clients send, for error sentences.
#include <string>
#include <string_view>

#include "runtime/base/text.h"
#include "runtime/json/writer.h"

namespace snapgen::mcp {

// Quotes the name of a tool, or the id of a task. A name longer than any real one is cut, because its text
// could be meant to mislead the model that reads the error.
inline std::string quoted_name(std::string_view name) {
  constexpr std::size_t shown_max = 100;
  if (name.size() <= shown_max) return json::quoted(name);
  return json::quoted(std::string(utf8_head(name, shown_max)) + "…");
}

}  // namespace snapgen::mcp

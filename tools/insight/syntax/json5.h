#pragma once
// JSON5, as Babel and other tools read their configuration.
#include <string>
#include <string_view>

namespace snapgen::core {

// Returns JSON that has a syntax error, on the same line, exactly if the JSON5 text has one. The values of
// strings, keys and numbers are lost.
std::string json_of_json5(std::string_view text);

}  // namespace snapgen::core

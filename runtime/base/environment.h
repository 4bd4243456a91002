#pragma once
// Functions for the variables of this process's environment.
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

namespace snapgen {

// Returns a variable's value, or nullopt if the variable is not set or empty.
inline std::optional<std::string> environment_variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  if (value == nullptr || *value == '\0') return std::nullopt;
  return std::string(value);
}

// Returns one of the user's base folders (XDG Base Directory Specification), such as that for caches: the
// value of `variable`, or else the folder `below_home` of $HOME. Empty if neither is an absolute path.
inline std::string user_base_folder(const std::string& variable, std::string_view below_home) {
  const std::string named = environment_variable(variable).value_or("");
  if (named.starts_with('/')) return named;
  const std::string home = environment_variable("HOME").value_or("");
  return home.starts_with('/') ? home + "/" + std::string(below_home) : std::string();
}

}  // namespace snapgen

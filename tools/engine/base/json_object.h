#pragma once
// Writes JSON objects and arrays of texts.
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/json/writer.h"

namespace snapgen::core {

// Returns the array of the texts, each converted by `convert`.
template <class Texts, class F = std::identity>
std::string json_list(const Texts& texts, F convert = {}) {
  std::string list;
  for (const auto& each : texts) list += (list.empty() ? "" : ",") + json::quoted(std::invoke(convert, each));
  return "[" + list + "]";
}

// JsonObject writes an object. The members are in the order of the calls.
class JsonObject {
 public:
  // Adds a member whose value is the JSON text `value`.
  JsonObject& add_json(std::string_view key, std::string_view value) {
    text_ += (text_.empty() ? "{" : ",") + json::quoted(key) + ":";
    text_ += value;
    return *this;
  }
  JsonObject& add(std::string_view key, std::string_view value) { return add_json(key, json::quoted(value)); }
  JsonObject& add(std::string_view key, std::int64_t value) { return add_json(key, std::to_string(value)); }
  JsonObject& add(std::string_view key, const std::vector<std::string>& values) {
    return add_json(key, json_list(values));
  }
  // Adds a member unless its value, a text or a list, is empty.
  template <class T>
  JsonObject& add_if_any(std::string_view key, const T& value) {
    return value.empty() ? *this : add(key, value);
  }
  std::string finish() const { return text_.empty() ? "{}" : text_ + "}"; }

 private:
  std::string text_;
};

}  // namespace snapgen::core

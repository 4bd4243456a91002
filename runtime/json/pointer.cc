#include "runtime/json/pointer.h"

#include "runtime/json/reader.h"

namespace snapgen::json {

void append_pointer_token(std::string& pointer, std::string_view token) {
  pointer += '/';
  for (const char byte : token) {
    if (byte == '~')
      pointer += "~0";
    else if (byte == '/')
      pointer += "~1";
    else
      pointer += byte;
  }
}

std::string unescaped_pointer_token(std::string_view token) {
  std::string out;
  for (std::size_t i = 0; i < token.size(); ++i) {
    const bool escape = token[i] == '~' && i + 1 < token.size();
    if (escape && (token[i + 1] == '0' || token[i + 1] == '1'))
      out += token[++i] == '0' ? '~' : '/';
    else
      out += token[i];
  }
  return out;
}

std::vector<std::string> pointers_at(std::string_view text, std::span<const std::size_t> offsets) {
  struct Level {
    bool array;
    std::size_t index;
    std::size_t path_size;
  };
  std::vector<std::string> pointers;
  pointers.reserve(offsets.size());
  std::string path;
  std::vector<Level> levels;
  Reader in(text);
  const auto arrive = [&](std::size_t offset) {
    while (pointers.size() < offsets.size() && offsets[pointers.size()] <= offset) pointers.push_back(path);
  };
  bool value_due = true;
  while (in.syntax_ok() && pointers.size() < offsets.size() && (value_due || !levels.empty())) {
    if (value_due) {
      value_due = false;
      arrive(in.offset());
      if (in.peek() == Kind::object) {
        if (in.begin_object()) levels.push_back({.array = false, .index = 0, .path_size = path.size()});
      } else if (in.peek() == Kind::array) {
        if (in.begin_array()) levels.push_back({.array = true, .index = 0, .path_size = path.size()});
      } else {
        in.skip();
      }
      continue;
    }
    Level& level = levels.back();
    path.resize(level.path_size);
    std::string_view key;
    value_due = level.array ? in.next_element() : in.next_key(key);
    if (!value_due) {
      levels.pop_back();
      continue;
    }
    if (level.array) {
      path += '/';
      path += std::to_string(level.index++);
      continue;
    }
    append_pointer_token(path, key);
    arrive(in.key_offset());
  }
  pointers.resize(offsets.size());
  return pointers;
}

std::string pointer_at(std::string_view text, std::size_t offset) {
  return std::move(pointers_at(text, std::span(&offset, 1)).front());
}

}  // namespace snapgen::json

#pragma once
// WantedNames: the changed paths and names that are searched in documents.
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "tools/engine/files/path.h"

namespace snapgen::core {

class WantedNames {
 public:
  struct Target {
    std::string file;
    bool deleted = false;
  };

  void add_path(const std::string& path, bool deleted) { paths_[path] = {.file = path, .deleted = deleted}; }
  // Also finds `path` by its base name. Call it only if no other file has that name.
  void add_base_name(const std::string& path, bool deleted) {
    const std::string_view name = base_name(path);
    if (name.size() >= base_name_bytes_min && name.find('.', 1) != std::string_view::npos)
      base_names_[std::string(name)] = {.file = path, .deleted = deleted};
  }
  void add_word(const std::string& word, const std::string& file, bool deleted) {
    // A name that one file no longer defines may still be defined in another; then it counts as existing.
    auto [at, fresh] = words_.try_emplace(word, Target{.file = file, .deleted = deleted});
    if (!fresh && !deleted) at->second = {.file = file, .deleted = false};
  }
  bool empty() const { return paths_.empty() && words_.empty(); }

  // Finds the changed file that `token` means: a path as it is written in a document in `folder`.
  const Target* find_path(std::string_view token, std::string_view folder) const {
    while (token.ends_with('.') || token.ends_with('-')) token.remove_suffix(1);
    if (token.size() < base_name_bytes_min) return nullptr;
    const std::optional<std::string> beside = normalized_path(folder, token);
    if (const Target* found = beside ? find(paths_, *beside) : nullptr) return found;
    if (token.find('/') == std::string_view::npos) return find(base_names_, token);
    while (token.starts_with("./")) token.remove_prefix(2);
    if (token.starts_with('/')) token.remove_prefix(1);
    return find(paths_, token);
  }
  const Target* find_word(std::string_view word) const { return find(words_, word); }

 private:
  static constexpr std::size_t base_name_bytes_min = 4;
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  using Map = std::unordered_map<std::string, Target, Hash, std::equal_to<>>;

  static const Target* find(const Map& map, std::string_view key) {
    auto at = map.find(key);
    return at == map.end() ? nullptr : &at->second;
  }

  Map paths_, base_names_, words_;
};

}  // namespace snapgen::core

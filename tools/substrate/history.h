#pragma once
// Code that the handlers of the history share.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/engine/operations/history/undo_lines.h"
#include "tools/engine/operations/restore.h"

namespace snapgen::tools {

// Returns the id of a moment, such as "m14".
std::string moment_id(std::uint64_t number);
std::optional<std::string> moment_id(const std::optional<std::uint64_t>& number);

// Returns lines such as "3", "3-5", or "before 4" for the place before line 4; nullopt for the whole file.
std::optional<std::vector<std::string>> to_schema(const std::vector<core::LineSpan>& lines);

// Returns the paths of the files whose content was replaced or deleted. A Change has `path` and `kind`, as
// core::RestoredPath.
template <class Change>
std::vector<std::string> replaced_paths(const std::vector<Change>& changes) {
  std::vector<std::string> paths;
  for (const Change& each : changes)
    if (each.kind != core::RestoredPath::Kind::created) paths.push_back(each.path);
  return paths;
}

}  // namespace snapgen::tools

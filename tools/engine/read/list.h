#pragma once
// Lists a folder of a view: its files, and the folders that they imply.
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/files/root.h"
#include "tools/engine/read/view.h"

namespace snapgen::core {

struct ListQuery {
  std::string path;  // A folder, or one file.
  bool recursive = false;
  std::size_t entries_max = 1000;
  std::optional<std::string> cursor;  // The cursor from an earlier answer; the listing continues there.
  // If set, only the files that it selects are listed, at any depth, without their folders.
  std::function<bool(std::string_view path)> selects;
};

struct ListEntry {
  std::string path;
  FileKind kind = FileKind::file;
  std::optional<std::int64_t> size;  // bytes; of files and symlinks
};

struct ListAnswer {
  std::vector<ListEntry> entries;          // sorted by the bytes of their paths
  std::optional<std::string> next_cursor;  // Set if there are more entries.
  SkippedCounts skipped;
};

// The cursor that continues a listing after the entry at `path`.
std::string cursor_after(std::string_view path);

// Lists the entries of a folder, and touches the files among them. Errors: invalid_argument (cursor),
// not_found, and those of the view.
Result<ListAnswer> list_entries(FileView& view, const ListQuery& query);

}  // namespace snapgen::core

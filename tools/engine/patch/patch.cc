#include "tools/engine/patch/patch.h"

#include <algorithm>
#include <tuple>

namespace snapgen::core {

std::string_view git_mode_text(FileMode mode) {
  switch (mode) {
    case FileMode::plain: return "100644";
    case FileMode::executable: return "100755";
    case FileMode::symlink: return "120000";
  }
  return "100644";
}

std::int64_t first_line_of(const LineRange& range) { return range.first + (range.count == 0 ? 1 : 0); }

bool only_changes_lines(const FilePatch& file) {
  return file.kind == FilePatch::Kind::modify && !file.binary && (!file.hunks.empty() || file.has_faults) &&
         (!file.new_mode || file.new_mode == file.old_mode);
}

std::string shown_line(std::string_view line) { return std::string(line.substr(0, reject_line_bytes_max)); }

void sort_rejects(std::vector<Reject>& rejects) {
  auto key = [](const Reject& reject) {
    return std::tuple(std::string_view(reject.path), reject.hunk_index.value_or(-1),
                      reject.patch_line.value_or(0), reject.reason, std::string_view(reject.message));
  };
  std::sort(rejects.begin(), rejects.end(),
            [&key](const Reject& a, const Reject& b) { return key(a) < key(b); });
}

}  // namespace snapgen::core

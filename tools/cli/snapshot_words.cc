#include "tools/cli/snapshot_words.h"

#include <cstdint>
#include <optional>

#include "tools/cli/terminal.h"
#include "tools/engine/base/phrase.h"

namespace snapgen::tools {

std::string size_in_words(const ManifestStats& stats) {
  return number_text(static_cast<std::uint64_t>(stats.files)) + (stats.files == 1 ? " file, " : " files, ") +
         size_text(static_cast<std::uint64_t>(stats.bytes));
}

std::string skipped_in_words(const Skipped& skipped) {
  std::string out;
  const auto add = [&](const std::optional<std::int64_t>& count, std::string_view what) {
    if (count) out += (out.empty() ? "" : ", ") + core::count_with_noun(*count, what);
  };
  add(skipped.binary, "binary file");
  add(skipped.ignored, "ignored path");
  if (skipped.nested_repository)
    out += (out.empty() ? "" : ", ") + std::to_string(*skipped.nested_repository) + " in a nested repository";
  if (skipped.not_a_file)
    out += (out.empty() ? "" : ", ") + std::to_string(*skipped.not_a_file) + " that is not a file";
  if (skipped.not_captured)
    out += (out.empty() ? "" : ", ") + std::to_string(*skipped.not_captured) +
           " that the snapshot did not capture";
  add(skipped.symlink, "symlink");
  if (skipped.too_large) out += (out.empty() ? "" : ", ") + std::to_string(*skipped.too_large) + " too large";
  if (skipped.unreadable)
    out += (out.empty() ? "" : ", ") + std::to_string(*skipped.unreadable) + " that cannot be read";
  return out;
}

Result<Unit> check_snapshot_id(const std::string& id) {
  if (id.empty())
    return Error(ErrorCode::invalid_argument, "A snapshot id is empty. `snap snapshot list` prints the ids.");
  return Unit{};
}

}  // namespace snapgen::tools

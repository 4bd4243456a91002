#pragma once
// Reads live files so that their records can be trusted: the stat belongs to the content that was hashed.
#include <stop_token>
#include <string>
#include <string_view>

#include "runtime/base/result.h"
#include "tools/engine/files/root.h"
#include "tools/engine/store/caches/file_record.h"

namespace snapgen::core {

// How often a file that changes while it is read is read again.
inline constexpr int rereads_max = 3;

Error changed_while_read_error(std::string_view path);

// The record, with the content's hash, of the file or symlink at `path`. Errors: not_found,
// permission_denied, invalid_argument (not a file or symlink), repo_changed (it kept changing), cancelled.
Result<FileRecord> observe_file(const Root& root, std::string_view path, const std::stop_token& stop);

// Reads a whole regular file into `bytes`. `opened` was just opened; its stat is updated if the file is read
// again. Errors: repo_changed; unavailable.
Result<Unit> read_stable_content(OpenedPath& opened, std::string& bytes);

// The stat of `path`, without following symlinks, or nullopt if nothing exists there. Only for comparisons.
// For many paths use SiblingOpener.
std::optional<FileStat> lstat_if_exists(const Root& root, const std::string& path);

}  // namespace snapgen::core

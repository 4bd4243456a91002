#pragma once
// Looking at a live file so that its record can be trusted: the stat belongs to the very content that was
// hashed.
#include <stop_token>
#include <string>
#include <string_view>

#include "runtime/base/result.h"
#include "tools/engine/files/root.h"
#include "tools/engine/store/file_record.h"

namespace snapgen::core {

// How often something that changes while it is read is read again.
inline constexpr int rereads_max = 3;

Error changed_while_read(std::string_view path);

// The record, with its content's hash, of the file or symlink that stands at `path` itself. Errors:
// not_found, permission_denied, invalid_argument (neither), repo_changed (it kept changing), cancelled.
Result<FileRecord> observe(const Root& root, std::string_view path, const std::stop_token& stop);

// Reads a whole regular file into `bytes`. `opened` was just opened, and its stat is renewed if the file was
// read again. Errors: repo_changed; unavailable.
Result<Unit> read_steadily(Opened& opened, std::string& bytes);

// The stat of what stands at `path`, symlinks not followed: for comparing alone. Nothing there: none. For
// many paths see Siblings.
std::optional<FileStat> quick_stat(const Root& root, const std::string& path);

}  // namespace snapgen::core

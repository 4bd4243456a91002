#include "tools/engine/read/observe.h"

#include <algorithm>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/engine/base/common_errors.h"
#include "tools/engine/files/path.h"
#include "tools/engine/files/sibling_opener.h"
#include "tools/engine/store/blobs/byte_source.h"

namespace snapgen::core {
namespace {

Result<Unit> rewind(int fd, std::string_view path) {
  if (::lseek(fd, 0, SEEK_SET) == 0) return Unit{};
  return system_error(errno, "read", path);
}

// Hashes a file from the current offset on. `size`: the size from the file's stat.
Result<BlobId> hash_rest(int fd, std::int64_t size, const std::stop_token& stop) {
  // Asking for one byte more detects the end of the file.
  const auto wanted = static_cast<std::size_t>(std::clamp<std::int64_t>(size + 1, 4096, piece_bytes));
  Sha256 hasher;
  std::string piece;
  while (true) {
    if (stop.stop_requested()) return cancelled_call_error();
    piece.clear();
    std::size_t got = TRY(read_and_append(fd, piece, wanted));
    hasher.update(piece);
    if (got < wanted) return BlobId{.digest = hasher.digest()};
  }
}

Result<FileRecord> observe_link(const Root& root, std::string_view path) {
  std::int64_t seen = now_ns();
  std::string target = TRY(root.read_link(path));
  FileStat stat = TRY(root.lstat(path));
  // The symlink may have been replaced between the read and the stat, so its target is read again.
  Result<std::string> again = root.read_link(path);
  if (!again || *again != target) return changed_while_read_error(path);
  return FileRecord{.path = std::string(path), .stat = stat, .seen_ns = seen, .blob = blob_id_of(target)};
}

}  // namespace

Error changed_while_read_error(std::string_view path) {
  return kept_changing_error(path_in_sentence(path), "it was read");
}

Result<FileRecord> observe_file(const Root& root, std::string_view path, const std::stop_token& stop) {
  FileStat found = TRY(root.lstat(path));
  if (kind_of(found) == FileKind::symlink) return observe_link(root, path);
  for (int tries = 0; tries < rereads_max; ++tries) {
    std::int64_t seen = now_ns();
    OpenedPath opened = TRY(root.open_file(path));
    BlobId blob = TRY(hash_rest(opened.fd.get(), opened.stat.size, stop));
    FileStat after = TRY(stat_of_fd(opened.fd.get(), path));
    if (after == opened.stat) {
      return FileRecord{.path = std::string(path), .stat = after, .seen_ns = seen, .blob = blob};
    }
  }
  return changed_while_read_error(path);
}

Result<Unit> read_stable_content(OpenedPath& opened, std::string& bytes) {
  int fd = opened.fd.get();
  for (int tries = 0; tries < rereads_max; ++tries) {
    bytes.clear();
    // Asking for one byte more detects the end, or that the file has grown.
    TRY(read_and_append(fd, bytes, static_cast<std::size_t>(opened.stat.size) + 1));
    FileStat after = TRY(stat_of_fd(fd, opened.path));
    if (after == opened.stat && bytes.size() == static_cast<std::size_t>(opened.stat.size)) return Unit{};
    opened.stat = after;
    TRY(rewind(fd, opened.path));
  }
  return changed_while_read_error(opened.path);
}

std::optional<FileStat> lstat_if_exists(const Root& root, const std::string& path) {
  return SiblingOpener(root).stat(path);
}

}  // namespace snapgen::core

#include "tools/engine/git/repository/index_lock.h"

#include <cerrno>
#include <cstdio>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/engine/files/durable.h"
#include "tools/engine/files/path.h"
#include "tools/engine/files/root.h"

namespace snapgen::core::git {
namespace {

constexpr std::string_view lock_suffix = ".lock";

// Copies what an index knows about the file of an entry. As git does, it distrusts a stat that is as new as
// the index.
void copy_stat(const IndexEntry& from, const FileStat& index_stat, IndexEntry& to) {
  constexpr std::int64_t ns_per_s = 1'000'000'000;
  if (from.mtime_s >= index_stat.mtime_ns / ns_per_s) return;
  const IndexEntry wanted = to;
  to = from;
  to.path = wanted.path;
  to.assume_unchanged = wanted.assume_unchanged;
  to.skip_worktree = wanted.skip_worktree;
  to.intent_to_add = wanted.intent_to_add;
}

}  // namespace

Error used_repository_error(const std::string& lock_path) {
  return Error(ErrorCode::unavailable,
               "Another git process uses the repository: " + path_in_sentence(lock_path) +
                   " exists. Wait until it ends, or delete the file if it has crashed.");
}

Result<IndexLock> IndexLock::acquire(const std::string& git_dir) {
  std::string index_path = git_dir + "/index";
  const std::string path = index_path + std::string(lock_suffix);
  Fd fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (fd) return IndexLock(std::move(fd), std::move(index_path));
  if (errno != EEXIST) return system_error(errno, "create", path);
  return used_repository_error(path);
}

IndexLock::~IndexLock() {
  if (fd_) ::unlink((index_path_ + std::string(lock_suffix)).c_str());
}

Result<Unit> IndexLock::replace_index(const Index& entries, const Index& present) {
  std::vector<IndexEntry> written = entries.entries();
  for (IndexEntry& entry : written) {
    const IndexEntry* const known = present.find(entry.path);
    const bool is_same = known != nullptr && known->oid == entry.oid && known->mode == entry.mode &&
                         known->stage == entry.stage;
    if (is_same) copy_stat(*known, present.stat(), entry);
  }
  struct stat st;
  if (::stat(index_path_.c_str(), &st) == 0) ::fchmod(fd_.get(), st.st_mode & 0777);
  TRY(write_at(fd_.get(), encoded_index(written, present.kind()), 0));
  TRY(sync_file(fd_.get()));
  const std::string path = index_path_ + std::string(lock_suffix);
  if (::rename(path.c_str(), index_path_.c_str()) != 0) return system_error(errno, "rename", path);
  fd_.reset();
  return Unit{};
}

}  // namespace snapgen::core::git

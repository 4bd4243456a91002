#include "tools/engine/files/exchange.h"

#include <cerrno>
#include <cstdio>

#include <fcntl.h>
#include <sys/stat.h>

namespace snapgen::core {
namespace {

bool is_unsupported(int number) { return number == EINVAL || number == ENOSYS || number == ENOTSUP; }

int rename_entry(int from, const std::string& from_name, int to, const std::string& to_name, unsigned flags) {
  return ::renameat2(from, from_name.c_str(), to, to_name.c_str(), flags) == 0 ? 0 : errno;
}

bool stat_entry(int folder, const std::string& name, struct stat& st) {
  return ::fstatat(folder, name.c_str(), &st, AT_SYMLINK_NOFOLLOW) == 0;
}

int remove_entry(int folder, const std::string& name) {
  return ::unlinkat(folder, name.c_str(), 0) == 0 ? 0 : errno;
}

}  // namespace

bool are_hard_links(int a, const std::string& a_name, int b, const std::string& b_name) {
  struct stat one, other;
  return stat_entry(a, a_name, one) && stat_entry(b, b_name, other) && one.st_ino == other.st_ino &&
         one.st_dev == other.st_dev;
}

int move_no_replace(int from, const std::string& from_name, int to, const std::string& to_name) {
  int failed = rename_entry(from, from_name, to, to_name, RENAME_NOREPLACE);
  if (is_unsupported(failed))
    failed = ::linkat(from, from_name.c_str(), to, to_name.c_str(), 0) == 0 ? EEXIST : errno;
  if (failed == EEXIST && are_hard_links(from, from_name, to, to_name)) return remove_entry(from, from_name);
  return failed;
}

int exchange_files(int staging, const std::string& staged, int folder, const std::string& name) {
  int failed = rename_entry(staging, staged, folder, name, RENAME_EXCHANGE);
  if (!is_unsupported(failed)) return failed;
  std::string aside = exchange_temporary_name(staged);
  failed = rename_entry(folder, name, staging, aside, 0);
  if (failed != 0) return failed;
  failed = move_no_replace(staging, staged, folder, name);
  if (failed != 0) {
    int back = move_no_replace(staging, aside, folder, name);
    return back == 0 ? failed : back;
  }
  return rename_entry(staging, aside, staging, staged, 0);
}

int recover_exchange(int staging, const std::string& staged, int folder, const std::string& name) {
  std::string aside = exchange_temporary_name(staged);
  struct stat st;
  if (!stat_entry(staging, aside, st)) return 0;
  if (are_hard_links(staging, staged, folder, name)) {
    int failed = remove_entry(staging, staged);
    if (failed != 0) return failed;
  }
  if (!stat_entry(staging, staged, st)) return rename_entry(staging, aside, staging, staged, 0);
  return move_no_replace(staging, aside, folder, name);
}

}  // namespace snapgen::core

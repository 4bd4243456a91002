#pragma once
// FileStat has the fields of stat(2) that reveal a change. Times are nanoseconds since 1970.
#include <cstdint>

#include <sys/stat.h>

namespace snapgen::core {

struct FileStat {
  std::int64_t size = 0;
  std::int64_t mtime_ns = 0;
  std::int64_t ctime_ns = 0;
  std::uint64_t inode = 0;
  std::uint64_t device = 0;
  std::uint32_t mode = 0;  // st_mode

  bool operator==(const FileStat&) const = default;
};

inline FileStat file_stat(const struct stat& st) {
  auto nanoseconds = [](const timespec& t) { return std::int64_t{t.tv_sec} * 1'000'000'000 + t.tv_nsec; };
  return FileStat{.size = st.st_size,
                  .mtime_ns = nanoseconds(st.st_mtim),
                  .ctime_ns = nanoseconds(st.st_ctim),
                  .inode = st.st_ino,
                  .device = st.st_dev,
                  .mode = st.st_mode};
}

}  // namespace snapgen::core

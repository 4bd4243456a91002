#pragma once
// BusyFiles: which files change so often that the history does not record each version. Otherwise a large log
// that grows all the time would take the space of the history of all other files.
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace snapgen::core {

// Not thread-safe.
class BusyFiles {
 public:
  // A version was recorded, other than the first one. `bytes_max`: how much the versions of a file that are
  // recorded in 24 hours may take.
  void add_version(const std::string& path, std::int64_t bytes, std::int64_t at_ms, std::int64_t bytes_max);

  // Whether the recorded versions of the file take more than it may. What they take decreases with time.
  bool is_busy(std::string_view path, std::int64_t at_ms, std::int64_t bytes_max) const;

  void clear() { levels_.clear(); }

 private:
  struct Level {
    std::int64_t bytes = 0;  // At `at_ms`.
    std::int64_t at_ms = 0;

    std::int64_t bytes_at(std::int64_t now_ms, std::int64_t bytes_max) const;
  };
  std::map<std::string, Level, std::less<>> levels_;
};

}  // namespace snapgen::core

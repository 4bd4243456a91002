#pragma once
// LeaseFolder: the files of a work tree's leases, and the limit on their total size.
//
//   lease_<x>    a lease that was used at least once (lease.h)
//   issued_<x>   leases that were not used yet (issued_leases.h)
//   listing_<x>  rows that the other files refer to (shared_listing.h)
//
// The modification time of a file is the time of its last use. Using a file also sets the time
// of the listings that it refers to, so no listing is older than the files that refer to it. When space is
// needed, the least recently used files are deleted, and each listing once it is older than all remaining
// files.
//
// Several processes use one folder. Each counts its own writes and rescans the folder once a minute, so
// together they may exceed the limit for a minute, by what they write within it.
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"

namespace snapgen::core {

using LeaseClock = std::function<std::int64_t()>;  // Nanoseconds since 1970.

inline constexpr std::int64_t lease_unused_ns_max = 24LL * 3600 * 1'000'000'000;
inline constexpr std::uint64_t lease_bytes_max_default = 64 << 20;

inline constexpr std::string_view lease_prefix = "lease_";
inline constexpr std::size_t lease_id_random_characters = 16;
inline constexpr std::string_view issued_prefix = "issued_";

// Whether `id` is `lease_`, followed by 16 characters of [a-z2-7].
bool is_lease_id(std::string_view id);

// The disk space of the lease files in `folder`; 0 if it does not exist.
std::uint64_t lease_bytes_in(const std::string& folder);

// Not thread-safe, except for const functions.
class LeaseFolder {
 public:
  LeaseFolder(std::string path, LeaseClock clock) : path_(std::move(path)), clock_(std::move(clock)) {}

  const std::string& path() const { return path_; }
  std::string path_of(std::string_view name) const { return path_ + "/" + std::string(name); }
  std::uint64_t bytes_max() const { return bytes_max_; }
  void set_bytes_max(std::uint64_t bytes) { bytes_max_ = bytes; }

  // Makes space for `bytes` that are about to be written: deletes expired files and, if necessary, the least
  // recently used ones. `kept`: a listing that a new file is about to refer to. Errors: too_large (`bytes` do
  // not fit into the limit).
  Result<Unit> make_space(std::uint64_t bytes, std::string_view retained = {});

  // Deletes expired files and those beyond the limit, at most once a minute.
  void sweep_if_due();

  // Marks a file, and the listings that it refers to, as used now. Returns false if the file does not exist.
  bool mark_used(std::string_view name, const std::vector<std::string>& listings = {}) const;

 private:
  // Deletes files as make_space() does, and returns the disk space of the remaining ones.
  std::uint64_t sweep(std::uint64_t bytes_max, std::string_view retained);

  std::string path_;
  LeaseClock clock_;
  std::uint64_t bytes_max_ = lease_bytes_max_default;
  std::uint64_t bytes_ = 0;  // Found by the last sweep, plus what was written since.
  bool swept_ = false;
  std::int64_t next_sweep_ns_ = 0;
};

}  // namespace snapgen::core

#pragma once
// LeaseFolder: the files of a work tree's leases, which together stay below a limit.
//
//   lease_<x>    a lease that was given back at least once (lease.h)
//   issued_<x>   leases that were not given back yet (issued_leases.h)
//   listing_<x>  rows that the others refer to (shared_listing.h)
//
// The modification time of a file is when it was last used. A file is marked together with the listings that
// it refers to, so no listing is older than what refers to it. When room is needed the least recently used
// files go, and each listing once it is older than everything that is left.
//
// Several processes use one folder. Each counts what it writes itself and looks at the folder now and then,
// so together they may exceed the limit for a minute, by what they write within it.
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
inline constexpr std::size_t lease_id_random = 16;
inline constexpr std::string_view issued_prefix = "issued_";

// `lease_`, and 16 of [a-z2-7].
bool is_lease_id(std::string_view id);

// What the files of leases in `folder` take on disk; 0 if it is not there.
std::uint64_t lease_bytes_in(const std::string& folder);

// One thread at a time, but for the functions that are const.
class LeaseFolder {
 public:
  LeaseFolder(std::string path, LeaseClock clock) : path_(std::move(path)), clock_(std::move(clock)) {}

  const std::string& path() const { return path_; }
  std::string path_of(std::string_view name) const { return path_ + "/" + std::string(name); }
  std::uint64_t bytes_max() const { return bytes_max_; }
  void set_bytes_max(std::uint64_t bytes) { bytes_max_ = bytes; }

  // To be called before `bytes` are written. Removes what expired and, if need be, what was not used for
  // longest. `kept`: a listing that is about to be referred to. Errors: too_large (they do not fit into the
  // limit).
  Result<Unit> make_room(std::uint64_t bytes, std::string_view kept = {});

  // Once a minute: removes what expired, or is beyond the limit.
  void sweep_if_due();

  // Marks a file, and the listings that it refers to, as used now. False: the file is not there.
  bool mark(std::string_view name, const std::vector<std::string>& listings = {}) const;

 private:
  // Returns what is left.
  std::uint64_t sweep(std::uint64_t bytes_max, std::string_view kept);

  std::string path_;
  LeaseClock clock_;
  std::uint64_t bytes_max_ = lease_bytes_max_default;
  std::uint64_t bytes_ = 0;  // As of the last sweep, and what was written since.
  bool swept_ = false;
  std::int64_t next_sweep_ns_ = 0;
};

}  // namespace snapgen::core

#pragma once
// IssuedLeases: leases that were issued to a client and not used again. Most are never used again, so they
// have no file each: they wait in memory, a few hundred bytes each, and are saved together.
//
// `issued_<x>`, a file of them, is a sequence of groups, one for each save:
//
//   index     a batch (file_record.h): the size of all bodies, then for each lease its id, when it was
//             issued, and the positions of its base and its batches in the bodies
//   waiting   a byte for each lease: 1 until the lease is first used, then 0
//   bodies    the initial contents of the leases' own files; leases of the same base share that part
//
// When a lease is first used, its byte is cleared and then it gets its own file. So each lease is stored in
// exactly one place, and an old state of it can never be mistaken for the current one.
#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "runtime/base/result.h"

namespace snapgen::core {

struct IssuedLease {
  std::string id;
  std::int64_t issued_ns = 0;                       // Since 1970.
  std::shared_ptr<const std::string> encoded_base;  // Encoded batches with the base of the lease.
  std::string encoded_touched;                      // Encoded batches with the touched files.
  bool refers_to_listing =
      false;  // Whether `encoded_touched` refers to the listing that is shared now (shared_listing.h).
};

// Not thread-safe.
class IssuedLeases {
 public:
  void add(IssuedLease lease);
  // Removes and returns a lease, or returns nullopt if it is not in memory.
  std::optional<IssuedLease> take(std::string_view id);

  bool empty() const { return leases_.empty(); }
  // Approximate memory use in bytes. The bases of leases that were taken count until no lease is left.
  std::uint64_t bytes() const { return bytes_; }
  // Whether any lease refers to the shared listing.
  bool any_refers_to_listing() const { return referring_ > 0; }

  // Encodes all leases as one group of a file.
  std::string encoded_group() const;
  void clear();
  void drop_leases_of_listing();
  void drop_older_half();  // Drops the older half.

 private:
  using Position = std::list<IssuedLease>::iterator;
  void erase(Position position);

  std::list<IssuedLease> leases_;  // Ordered by issue time, the latest last.
  std::unordered_map<std::string, Position> places_;
  std::uint64_t bytes_ = 0;
  std::size_t referring_ = 0;
};

// Removes and returns a lease from the folder's files `issued_<x>`, or returns nullopt.
std::optional<IssuedLease> take_saved_lease(const std::string& folder, std::string_view id);

}  // namespace snapgen::core

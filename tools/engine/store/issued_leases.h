#pragma once
// IssuedLeases: leases that a client was given and has not given back. Most never come back, so they have no
// file each: they wait in memory, a few hundred bytes each, and are saved together.
//
// `issued_<x>`, a file of them, is a sequence of groups, one for each time that leases were saved:
//
//   index     a batch (file_record.h): the bytes of all bodies, then for each lease its id, when it was
//             issued, and where its base and its batches are among the bodies
//   waiting   a byte for each lease: 1 until the lease is given back, then 0
//   bodies    what the lease's own file begins with; leases of the same base share that part
//
// A lease moves to its own file when it is given back, and its byte is cleared before that file is made. So a
// lease is in one place at a time, and an old state of it can never be taken for the present one.
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
  std::int64_t issued_ns = 0;               // Since 1970.
  std::shared_ptr<const std::string> base;  // Batches: what the lease is based on,
  std::string touched;                      // and what was touched.
  bool refers = false;                      // To the listing that is shared now (shared_listing.h).
};

// One thread at a time.
class IssuedLeases {
 public:
  void add(IssuedLease lease);
  // Takes a lease out; none if it does not wait in memory.
  std::optional<IssuedLease> take(std::string_view id);

  bool empty() const { return leases_.empty(); }
  // About what they take of memory; a base counts as long as any lease waits that came after it.
  std::uint64_t bytes() const { return bytes_; }
  // Whether one of them refers to the shared listing.
  bool refers() const { return referring_ > 0; }

  // All of them as one group of a file.
  std::string group() const;
  void clear();
  void forget_referring();
  void forget_half();  // The older one.

 private:
  using Position = std::list<IssuedLease>::iterator;
  void erase(Position place);

  std::list<IssuedLease> leases_;  // The latest last.
  std::unordered_map<std::string, Position> places_;
  std::uint64_t bytes_ = 0;
  std::size_t referring_ = 0;
};

// Takes a lease out of one of the files `issued_<x>` in the folder; none if no file has it.
std::optional<IssuedLease> take_saved(const std::string& folder, std::string_view id);

}  // namespace snapgen::core

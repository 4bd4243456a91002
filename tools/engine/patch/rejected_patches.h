#pragma once
// RejectedPatches stores the rejected patches of a work tree in memory for ten minutes, so that they can be
// continued (`continue.h`).
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "runtime/base/result.h"

namespace snapgen::core {

struct RejectedPatch;

// Thread-safe. More than 16 patches, or patches of more than 8 MiB with their parsed parts, are never stored:
// the oldest ones are dropped first.
class RejectedPatches {
 public:
  static constexpr std::int64_t lifetime_ns = std::int64_t{10} * 60 * 1'000'000'000;
  static constexpr std::size_t patches_max = 16;
  static constexpr std::size_t bytes_max = std::size_t{8} << 20;

  // Returns the id of the patch, such as patch_0123456789ab, or an empty text if it is too large to be
  // stored. Equal texts for the same tree have the same id. `now_ns` is in nanoseconds since 1970.
  std::string store(RejectedPatch patch, std::int64_t now_ns);
  // Errors: not_found (there is no such patch, or not any more); invalid_argument (it was applied).
  Result<std::shared_ptr<const RejectedPatch>> find(std::string_view id, std::int64_t now_ns);
  // Removes a patch that was completed and applied.
  void remove_applied(std::string_view id);

 private:
  struct Stored {
    std::string id;
    std::shared_ptr<const RejectedPatch> patch;
    std::size_t bytes = 0;
    std::int64_t expires_ns = 0;
  };

  void remove_expired(std::int64_t now_ns);  // Needs the mutex.

  std::mutex mutex_;
  std::list<Stored> patches_;       // The oldest one is first, as in the next list.
  std::list<std::string> applied_;  // The ids of the last patches that were applied.
};

}  // namespace snapgen::core

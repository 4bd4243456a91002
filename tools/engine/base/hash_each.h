#pragma once
// SHA-256 of many contents: faster than one by one where the processor can hash several at once
// (hash_lanes.h).
#include <span>
#include <string_view>
#include <vector>

#include "tools/engine/base/hash.h"

namespace snapgen::core {

// Returns the digest of each message. Most efficient for a few hundred messages, or a few megabytes, per
// call.
std::vector<Sha256::Digest> sha256_of_each(std::span<const std::string_view> messages);

}  // namespace snapgen::core

#pragma once
// SHA-256 of many contents: faster than one by one if the processor supports hash_lanes.h.
#include <span>
#include <string_view>
#include <vector>

#include "tools/engine/base/hash.h"

namespace snapgen::core {

// Returns the digest of each message. Most efficient for hundreds of messages, or megabytes, a call.
std::vector<Sha256::Digest> sha256_of_each(std::span<const std::string_view> messages);

}  // namespace snapgen::core

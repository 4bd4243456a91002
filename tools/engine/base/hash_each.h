#pragma once
// SHA-256 of many contents: quicker than one by one where the processor can hash several at once
// (hash_lanes.h).
#include <span>
#include <string_view>
#include <vector>

#include "tools/engine/base/hash.h"

namespace snapgen::core {

// The digest of each message. Best for some hundred of them, or some megabytes, at a time.
std::vector<Sha256::Digest> sha256_of_each(std::span<const std::string_view> messages);

}  // namespace snapgen::core

#pragma once
// The headers of an entry in a tar archive (bundle.h).
#include <cstdint>
#include <string>
#include <string_view>

#include "tools/engine/store/manifest.h"

namespace snapgen::core {

// The blocks before the entry's content of `size` bytes: its header, preceded if necessary by pax records
// with long names and sizes of 8 GiB and more. For a symlink, size is 0 and `link` is its target.
std::string tar_header_blocks(const ManifestEntry& entry, std::uint64_t size, std::string_view link);

}  // namespace snapgen::core

#pragma once
// What a tar archive (bundle.h) says of an entry, apart from its contents.
#include <cstdint>
#include <string>
#include <string_view>

#include "tools/engine/store/manifest.h"

namespace snapgen::core {

// The blocks before the entry's `size` bytes: its header, and before that one pax records of what a header
// has no room for: long names, and sizes of 8 GiB and more. Of a symlink: size 0, and `link` is where it
// leads.
std::string tar_head(const ManifestEntry& entry, std::uint64_t size, std::string_view link);

}  // namespace snapgen::core

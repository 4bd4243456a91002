#pragma once
// Chunks: the pieces in which a manifest's text is kept (see manifest.h).
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "tools/core/snapshot/manifest.h"

namespace snapgen::core {

// Where each chunk of `rows` ends, in order; `rows` are sorted by path.
std::vector<std::size_t> chunk_ends(std::span<const ManifestRow> rows);

// Appends the text of the chunk that is of these rows.
void append_chunk(std::string& text, std::span<const ManifestRow> rows);

}  // namespace snapgen::core

#pragma once
// `GIT binary patch`: base85 lines that encode a zlib stream with the new content or with a delta.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/base/result.h"
#include "tools/engine/patch/lines.h"
#include "tools/engine/patch/patch.h"

namespace snapgen::core {

// Reads one `literal N` or `delta N` part, up to and including its final blank line, and checks its form.
// apply_binary_hunk() inflates it later.
std::optional<PatchFault> read_binary_hunk(PatchLines& lines, BinaryHunk& out);

// Returns the content that `hunk` makes of `before`. Errors: invalid_argument (the data is damaged, or is a
// delta to other content), too_large (more than `bytes_max`).
Result<std::string> apply_binary_hunk(const BinaryHunk& hunk, std::string_view before,
                                      std::int64_t bytes_max);

// Applies a git delta (as in pack files) to `base`. Errors: as apply_binary_hunk().
Result<std::string> apply_delta(std::string_view delta, std::string_view base, std::int64_t bytes_max);

}  // namespace snapgen::core

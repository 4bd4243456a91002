#pragma once
// `GIT binary patch`: base85 lines around a zlib stream, which holds the new content or a delta to it.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/base/result.h"
#include "tools/engine/patch/hunk.h"

namespace snapgen::core {

// Reads one `literal N` or `delta N` part with its lines and the blank line behind them, and checks their
// form. The data is inflated later, by content_of().
std::optional<PatchFault> read_binary_hunk(PatchLines& lines, BinaryHunk& out);

// The content that `hunk` makes of `before`. Errors: invalid_argument (the data is damaged, or is a delta to
// something else), too_large (more than `bytes_max`).
Result<std::string> content_of(const BinaryHunk& hunk, std::string_view before, std::int64_t bytes_max);

// What a git delta (as in pack files) makes of `base`. Errors: as content_of().
Result<std::string> apply_delta(std::string_view delta, std::string_view base, std::int64_t bytes_max);

}  // namespace snapgen::core

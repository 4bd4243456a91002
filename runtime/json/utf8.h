#pragma once
// The two implementations of json::valid_utf8(), which calls the fastest one that the processor supports.
#include <string_view>

namespace snapgen::json::utf8 {

bool is_valid_portable(std::string_view text);

#if defined(__x86_64__)
// Checks 32 bytes at a time. The processor must have AVX2.
bool is_valid_avx2(std::string_view text);
#endif

}  // namespace snapgen::json::utf8

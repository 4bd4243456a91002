#pragma once
// The two implementations of json::valid_utf8(), which takes the faster one that the processor has.
#include <string_view>

namespace snapgen::json::utf8 {

bool is_valid_portable(std::string_view text);

#if defined(__x86_64__)
// 32 bytes at a time. Only on processors with AVX2.
bool is_valid_avx2(std::string_view text);
#endif

}  // namespace snapgen::json::utf8

#pragma once
// Checks of a schema's limits, for generated readers. A reader calls them after a read that returned true,
// with the value's offset in the text. A value beyond a limit is reported as a violation with the limit's
// keyword and a sentence.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/json/format.h"
#include "runtime/json/pattern.h"
#include "runtime/json/reader.h"
#include "runtime/json/values.h"

namespace snapgen::json {

inline constexpr std::size_t unlimited = static_cast<std::size_t>(-1);

// Checks minLength and maxLength of a string, in characters (code points).
void check_length(Reader& in, std::size_t offset, std::string_view value, std::size_t min, std::size_t max);
// Checks minItems and maxItems of an array.
void check_items(Reader& in, std::size_t offset, std::size_t count, std::size_t min, std::size_t max);
// Checks minProperties and maxProperties of an object.
void check_properties(Reader& in, std::size_t offset, std::size_t count, std::size_t min, std::size_t max);

void check_pattern(Reader& in, std::size_t offset, std::string_view value, const Pattern& pattern);
void check_format(Reader& in, std::size_t offset, std::string_view value, Format format);

void check_minimum(Reader& in, std::size_t offset, std::int64_t value, std::int64_t minimum);
void check_maximum(Reader& in, std::size_t offset, std::int64_t value, std::int64_t maximum);
void check_multiple_of(Reader& in, std::size_t offset, std::int64_t value, std::int64_t divisor);
void check_minimum(Reader& in, std::size_t offset, std::uint64_t value, std::uint64_t minimum);
void check_maximum(Reader& in, std::size_t offset, std::uint64_t value, std::uint64_t maximum);
void check_multiple_of(Reader& in, std::size_t offset, std::uint64_t value, std::uint64_t divisor);
void check_minimum(Reader& in, std::size_t offset, double value, double minimum);
void check_maximum(Reader& in, std::size_t offset, double value, double maximum);
void check_exclusive_minimum(Reader& in, std::size_t offset, double value, double minimum);
void check_exclusive_maximum(Reader& in, std::size_t offset, double value, double maximum);
// Checks multipleOf for the number in the text at `offset`. Both numbers are compared as exact decimal
// fractions (see is_multiple()), not as doubles.
void check_multiple_of(Reader& in, std::size_t offset, std::string_view divisor);

// Returns the message of a violation of uniqueItems: the items with indexes `first` and `second` are equal.
std::string not_unique_message(std::size_t first, std::size_t second);
// Reports a violation of uniqueItems.
void report_not_unique(Reader& in, std::size_t offset, std::size_t first, std::size_t second);

// Checks uniqueItems: no two items have the same canonical form. Invalid items are not compared.
template <class T>
void check_unique(Reader& in, std::size_t offset, const std::vector<T>& items) {
  const std::vector<bool> wrong = in.items_with_violations(offset);
  std::unordered_map<std::string, std::size_t> seen;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i < wrong.size() && wrong[i]) continue;
    const auto [place, is_new] = seen.try_emplace(to_json(static_cast<T>(items[i])), i);
    if (!is_new) return report_not_unique(in, offset, place->second, i);
  }
}

}  // namespace snapgen::json

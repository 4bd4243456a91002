#pragma once
// Text helpers that several layers need: nearest name, base64, hex, sentences.
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace snapgen {

// The candidate closest to `name` (Damerau-Levenshtein, case-insensitive), or nullopt if none is close. The
// distance may be a third of the longer name, and at least 1.
std::optional<std::string_view> nearest(std::string_view name, std::span<const std::string_view> candidates);

enum class LetterCase : bool { ignored, matters };

// Damerau-Levenshtein distance with adjacent transpositions (optimal string alignment). Returns some number
// above `limit` as soon as the distance is known to exceed it.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit,
                          LetterCase letters = LetterCase::ignored);

std::string hex(std::string_view bytes);     // lower case
std::string base64(std::string_view bytes);  // RFC 4648 section 4, padded
std::optional<std::string> base64_decoded(
    std::string_view text);  // strict: alphabet, padding, no white space

// Appends a full stop unless `text` already ends in a punctuation mark.
std::string with_full_stop(std::string text);

// The beginning and the end of UTF-8: at most `bytes_max` bytes, cut between characters. The beginning of
// bytes that are not UTF-8 may be cut anywhere.
std::string_view utf8_head(std::string_view utf8, std::size_t bytes_max);
std::string_view utf8_tail(std::string_view utf8, std::size_t bytes_max);

// The number of code points in valid UTF-8.
std::size_t code_points(std::string_view utf8);

}  // namespace snapgen

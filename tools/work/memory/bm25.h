#pragma once
// BM25, the usual ranking function of text search, in integers. Without floating point, the same learnings
// have the same order on every machine.
//
//   score = rarity * tf * (k1 + 1) / (tf + k1 * (1 - b + b * length / average length)),  k1 = 1.2, b = 0.75
//   rarity = log2(1 + (N - n + 0.5) / (n + 0.5)), for n of N learnings with the term
//
// S. Robertson and H. Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), recommend k1
// between 1.2 and 2, and b between 0.5 and 0.8. Lucene and SQLite's FTS5 use the same two values as this
// file, and Lucene the same rarity, which is never negative. tf is a sum of weights, because a folder's name
// counts less than a word of the text (Robertson, Zaragoza and Taylor, "Simple BM25 Extension to Multiple
// Weighted Fields", 2004).
#include <cstdint>

namespace snapgen::core {

inline constexpr std::int64_t word_weight = 4;    // The weight of a word in a text, or in the name of a file.
inline constexpr std::int64_t folder_weight = 1;  // The weight of a word in the name of a folder.

// Returns the binary logarithm of `value` times 2^16, rounded down. `value` is at least 1.
std::int64_t log2_q16(std::uint64_t value);

// Returns the rarity of a term that `with_term` of `all` learnings have, times 2^16. At least 0.
std::int64_t rarity_q16(std::int64_t all, std::int64_t with_term);

// Returns the score of one term for one learning, times 2^16. `rarity` is from rarity_q16(), and `weight`
// that of the term in the learning. `length` is that of the learning's text, and `average` that of all texts,
// at least 1; both are sums of weights.
std::int64_t bm25_q16(std::int64_t rarity, std::int64_t weight, std::int64_t length, std::int64_t average);

}  // namespace snapgen::core

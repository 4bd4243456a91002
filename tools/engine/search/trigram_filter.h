#pragma once
// TrigramFilter: a few hundred bytes that prove that a content does not contain a text. It has one bit for
// each hash of three adjacent bytes of the content, in lower case. If the bit of one of a text's trigrams
// is not set, the content does not contain the text. If all are set, it may.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace snapgen::core {

// The trigrams of a searched text. ASCII letters match in either case.
class TrigramQuery {
 public:
  // A text of fewer than three bytes has no trigrams and may be in any content.
  explicit TrigramQuery(std::string_view text);

 private:
  friend class TrigramFilter;
  std::vector<std::uint32_t> hashes_;
};

// A view of an encoded filter, which must outlive it.
class TrigramFilter {
 public:
  enum class Kind : std::uint8_t { text, binary };

  // Parses the encoded form; returns nullopt if it is malformed.
  static std::optional<TrigramFilter> decoded(std::string_view encoded);

  Kind kind() const { return kind_; }
  // For Kind::text: whether the content may contain the query's text.
  bool may_contain(const TrigramQuery& query) const;

 private:
  Kind kind_ = Kind::text;
  std::string_view bits_;  // The size is a power of two; empty: the content has no trigrams.
};

// Builds filters one after the other. For one thread.
class TrigramFilterBuilder {
 public:
  TrigramFilterBuilder();

  // The encoded filter of a content, or nullopt if it would rarely exclude a text.
  std::optional<std::string> build(std::string_view text);
  static std::string binary_filter();

 private:
  std::vector<std::uint64_t> bits_;
};

}  // namespace snapgen::core

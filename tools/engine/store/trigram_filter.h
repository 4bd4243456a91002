#pragma once
// TrigramFilter: which texts a content cannot hold, in a few hundred bytes. One bit for each group of three
// bytes that stand side by side in it (upper case as lower case), by their hash: a text of which one group's
// bit is not set does not stand in the content. The other way round nothing is promised.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace snapgen::core {

// The groups of a text that is looked for. Letters of ASCII are found in either case.
class TrigramQuery {
 public:
  // Of fewer than three bytes there are none, and it may stand anywhere.
  explicit TrigramQuery(std::string_view text);

 private:
  friend class TrigramFilter;
  std::vector<std::uint32_t> hashes_;
};

// A view of one that is kept.
class TrigramFilter {
 public:
  enum class Kind : std::uint8_t { text, binary };

  // From its encoded form; none if it is no such thing.
  static std::optional<TrigramFilter> decoded(std::string_view encoded);

  Kind kind() const { return kind_; }
  // Of a text: whether the query's text may stand in it.
  bool may_hold(const TrigramQuery& query) const;

 private:
  Kind kind_ = Kind::text;
  std::string_view bits_;  // As many as a power of two; none: nothing stands in it.
};

// Makes them, one after the other. For one thread.
class TrigramFilterMaker {
 public:
  TrigramFilterMaker();

  // The encoded trigram filter of a content; none of one that holds too much to be ruled out often.
  std::optional<std::string> of(std::string_view text);
  static std::string of_binary();

 private:
  std::vector<std::uint64_t> bits_;
};

}  // namespace snapgen::core

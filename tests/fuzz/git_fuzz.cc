// Any bytes as files of a repository: index, ignore rules, attributes, configuration, trees, patterns. The
// parsers must not crash or run forever, an accepted index must be complete and sorted, and patterns must
// match as with a simple recursive matcher.
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "tests/fuzz/target.h"
#include "tools/engine/git/repository/config.h"
#include "tools/engine/git/repository/index.h"
#include "tools/engine/git/repository/objects.h"
#include "tools/engine/git/repository/wildmatch.h"
#include "tools/engine/git/repository/write_tree.h"
#include "tools/engine/git/status/similarity.h"
#include "tools/engine/git/walk/attributes.h"
#include "tools/engine/git/walk/clean.h"
#include "tools/engine/git/walk/folder.h"
#include "tools/engine/git/walk/ignore.h"

namespace snapgen::core::git {
namespace {

class EverythingIsThere final : public ObjectPresence {
 public:
  Result<bool> contains(const Oid&) override { return true; }
};

void check_order(const Index& index) {
  const std::vector<IndexEntry>& entries = index.entries();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    FUZZ_EXPECT(!entries[i].path.empty());
    FUZZ_EXPECT(index.contains(entries[i].path));
    if (i == 0) continue;
    const int order = entries[i - 1].path.compare(entries[i].path);
    FUZZ_EXPECT(order < 0 || (order == 0 && entries[i - 1].stage < entries[i].stage));
  }
}

void use_index(std::string_view bytes, HashKind kind) {
  // The first half may be the shared index of the second half.
  const ParsedIndex parsed = parse_index(std::string(bytes), FileStat{}, kind);
  IndexPtr index = parsed.index;
  check_order(*index);
  if (parsed.link) {
    index = with_shared_index(
        parsed, parse_index(std::string(bytes.substr(0, bytes.size() / 2)), FileStat{}, kind).index);
    check_order(*index);
  }
  if (!index->fallback_reason().empty()) return;
  EverythingIsThere objects;
  const Result<std::optional<Oid>> tree = tree_of_index(*index, objects);
  FUZZ_EXPECT(tree);
  FUZZ_EXPECT(!*tree || !index->has_unmerged());
  const IndexFolder root(*index, {0, index->entries().size()}, 0);
  for (const IndexFolder::Child& child : root.folders()) {
    const IndexRange range = root.folder(child.name);
    FUZZ_EXPECT(range.begin == child.range.begin && range.end == child.range.end);
  }
  for (const IndexFolder::Child& child : root.files()) FUZZ_EXPECT(root.file(child.name) != nullptr);
}

// A simple matcher for `*`, `?` and `\`. Other tests compare brackets with git.
class PlainMatch {
 public:
  PlainMatch(std::string_view pattern, std::string_view text) : pattern_(pattern), text_(text) {}

  bool run(std::size_t at, std::size_t place) {
    const auto [known, fresh] = known_.try_emplace({at, place}, false);
    if (fresh) {
      const bool matched = step(at, place);
      known_[{at, place}] = matched;
      return matched;
    }
    return known->second;
  }

 private:
  bool step(std::size_t at, std::size_t place) {
    if (at == pattern_.size()) return place == text_.size();
    const char c = pattern_[at];
    if (c == '*') {
      std::size_t rest = at;
      while (rest < pattern_.size() && pattern_[rest] == '*') ++rest;
      const std::string_view behind = pattern_.substr(rest);
      const bool alone = (at == 0 || pattern_[at - 1] == '/') &&
                         (behind.empty() || behind[0] == '/' || behind.starts_with("\\/"));
      const bool crosses = rest - at > 1 && alone;
      if (crosses && behind.starts_with('/') && run(rest + 1, place)) return true;
      for (std::size_t end = place;; ++end) {
        if (run(rest, end)) return true;
        if (end == text_.size() || (!crosses && text_[end] == '/')) return false;
      }
    }
    if (place == text_.size()) return false;
    if (c == '?') return text_[place] != '/' && run(at + 1, place + 1);
    const bool escaped = c == '\\';
    if (escaped && at + 1 == pattern_.size()) return false;
    const std::size_t literal = escaped ? at + 1 : at;
    return pattern_[literal] == text_[place] && run(literal + 1, place + 1);
  }

  std::string_view pattern_;
  std::string_view text_;
  std::map<std::pair<std::size_t, std::size_t>, bool> known_;
};

void use_pattern(std::string_view bytes) {
  const std::size_t line = bytes.find('\n');
  if (line == std::string_view::npos || bytes.size() > 200) return;
  const std::string_view pattern = bytes.substr(0, line);
  const std::string_view text = bytes.substr(line + 1);
  const bool matched = wildmatch(pattern, text, WildmatchMode::path);
  if (pattern.find('[') == std::string_view::npos)
    FUZZ_EXPECT(matched == PlainMatch(pattern, text).run(0, 0));
}

void use_text(std::string_view bytes) {
  const IgnoreRules ignore{std::string(bytes)};
  const AttributeRules attributes(std::string(bytes), true);
  for (const std::string_view path : {"a", "a/b", "src/main.c", "x y/z"}) {
    ignore.verdict_of(path, false);
    for (const AttributeRules::Rule& rule : attributes.rules()) rule.pattern.matches(path);
  }
  Config config;
  config.add_text(bytes, "fuzz");
  for (const ConfigEntry& entry : config.entries()) config_boolean(entry.value);
  for (const auto line_ends : {ContentConversion::LineEnds::to_lf, ContentConversion::LineEnds::detect}) {
    const auto indexed = [] { return Result<std::string>(std::string()); };
    const ContentConversion cleaning{.line_ends = line_ends, .ident = true, .fallback_reason = {}};
    const Result<std::string> clean = cleaned_content(std::string(bytes), cleaning, indexed);
    FUZZ_EXPECT(clean && clean->size() <= bytes.size());
  }
}

void use_similarity(std::string_view bytes) {
  const std::string_view a = bytes.substr(0, bytes.size() / 2);
  const std::string_view b = bytes.substr(bytes.size() / 2);
  const ContentPieces first(a, true);
  const ContentPieces second(b, true);
  for (const LastPiece last : {LastPiece::left_out, LastPiece::counted}) {
    const std::uint64_t common = ContentPieces::common_bytes(first, second, last);
    FUZZ_EXPECT(common == ContentPieces::common_bytes(second, first, last));
    FUZZ_EXPECT(common <= std::min(a.size(), b.size()));
    FUZZ_EXPECT(similarity_score(common, a.size(), b.size()) <= static_cast<int>(score_max));
  }
}

}  // namespace
}  // namespace snapgen::core::git

FUZZ_TARGET(git) {
  using namespace snapgen::core;
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 8) {
    case 0:
    case 1: git::use_index(bytes, HashKind::sha1); break;
    case 2: git::use_index(bytes, HashKind::sha256); break;
    case 3: git::index_from_listing(std::string(bytes), FileStat{}, HashKind::sha1); break;
    case 4: git::parse_tree(bytes, 20); break;
    case 5: git::use_pattern(bytes); break;
    case 6: git::use_text(bytes); break;
    default: git::use_similarity(bytes); break;
  }
  return 0;
}

// A trigram filter must never exclude a file that matches, whatever happens to the files or to the cache.
#include "tools/engine/search/trigram_filter.h"

#include <filesystem>
#include <fstream>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/engine/chance.h"
#include "tests/engine/folder.h"
#include "tests/engine/test_workspace.h"
#include "tools/engine/search/matcher.h"
#include "tools/engine/search/trigram_filter_cache.h"

namespace snapgen::core {
namespace {

std::string in_other_case(std::string text) {
  for (char& c : text)
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) c = static_cast<char>(c ^ 0x20);
  return text;
}

TEST(TrigramFilter, NeverSkipsAMatchingText) {
  Chance chance;
  TrigramFilterBuilder maker;
  for (int round = 0; round < 300; ++round) {
    const std::string text = chance.bytes(chance.below(3000), round % 2 == 0 ? 256 : 60);
    const std::optional<std::string> encoded = maker.build(text);
    ASSERT_TRUE(encoded);
    const std::optional<TrigramFilter> trigram_filter = TrigramFilter::decoded(*encoded);
    ASSERT_TRUE(trigram_filter);
    EXPECT_EQ(trigram_filter->kind(), TrigramFilter::Kind::text);
    for (int i = 0; i < 50; ++i) {
      const auto begin = static_cast<std::size_t>(chance.below(static_cast<int>(text.size()) + 1));
      const std::string part = text.substr(begin, static_cast<std::size_t>(chance.below(40)));
      EXPECT_TRUE(trigram_filter->may_contain(TrigramQuery(part))) << "seed " << search_seed();
      EXPECT_TRUE(trigram_filter->may_contain(TrigramQuery(in_other_case(part)))) << "seed " << search_seed();
    }
  }
}

TEST(TrigramFilter, SkipsMostTextsWithoutAMatch) {
  Chance chance;
  TrigramFilterBuilder maker;
  int through = 0;
  for (int round = 0; round < 1000; ++round) {
    std::string text = chance.bytes(4000, 8);
    const std::optional<std::string> encoded = maker.build(text);
    ASSERT_TRUE(encoded);
    EXPECT_LT(encoded->size(), text.size() / 2);
    if (TrigramFilter::decoded(*encoded)->may_contain(TrigramQuery("quixotry"))) ++through;
  }
  EXPECT_LT(through, 100);
}

TEST(TrigramFilter, HandlesSmallAndLargeTexts) {
  TrigramFilterBuilder maker;
  for (const std::string text : {"", "a", "ab"}) {
    const std::optional<std::string> encoded = maker.build(text);
    ASSERT_TRUE(encoded);
    EXPECT_TRUE(TrigramFilter::decoded(*encoded)->may_contain(TrigramQuery("ab")));
    EXPECT_TRUE(TrigramFilter::decoded(*encoded)->may_contain(TrigramQuery("")));
    EXPECT_FALSE(TrigramFilter::decoded(*encoded)->may_contain(TrigramQuery("abc")));
  }
  EXPECT_FALSE(maker.build(std::string(2 << 20, 'a'))) << "too large";
  EXPECT_FALSE(maker.build(Chance(1).bytes(1 << 20, 256))) << "the filter would exclude nothing";
  EXPECT_EQ(TrigramFilter::decoded(TrigramFilterBuilder::binary_filter())->kind(),
            TrigramFilter::Kind::binary);
}

TEST(TrigramFilter, RejectsInvalidFilters) {
  const std::string good = *TrigramFilterBuilder().build("some text that is long enough for eight bytes");
  EXPECT_TRUE(TrigramFilter::decoded(good));
  EXPECT_FALSE(TrigramFilter::decoded(""));
  EXPECT_FALSE(TrigramFilter::decoded(std::string_view(good).substr(0, good.size() - 1)));
  EXPECT_FALSE(TrigramFilter::decoded(good + "x"));
  for (int mark = 1; mark < 255; ++mark) {
    if (mark == good.front()) continue;
    EXPECT_FALSE(TrigramFilter::decoded(static_cast<char>(mark) + good.substr(1))) << mark;
  }
}

ContentFilter signed_content(std::string_view text) {
  return {blob_id_of(text), *TrigramFilterBuilder().build(text)};
}

bool knows_trigram_filter(TrigramFilterCache& cache, std::string_view text) {
  const std::shared_ptr<const TrigramFilterTable> table = cache.table();
  const std::optional<TrigramFilter> found = table->find(blob_id_of(text));
  return found && found->may_contain(TrigramQuery(text));
}

TEST(TrigramFilterCache, SharesFiltersBetweenServers) {
  const Folder folder;
  TrigramFilterCache one(folder.path());
  TrigramFilterCache other(folder.path());
  EXPECT_FALSE(knows_trigram_filter(one, "first content"));
  one.add({signed_content("first content")}, 1);
  const std::shared_ptr<const TrigramFilterTable> before = one.table();
  EXPECT_TRUE(knows_trigram_filter(other, "first content"));
  other.add({signed_content("second content"), signed_content("third content")}, 1);
  EXPECT_TRUE(knows_trigram_filter(other, "third content"));
  one.add({signed_content("fourth content")}, 1);
  for (const char* text : {"first content", "second content", "third content", "fourth content"})
    EXPECT_TRUE(knows_trigram_filter(one, text)) << text;
  EXPECT_TRUE(before->find(blob_id_of("first content")));
  EXPECT_FALSE(before->find(blob_id_of("second content")));
  one.release_memory();
  EXPECT_TRUE(knows_trigram_filter(one, "fourth content"));
  EXPECT_TRUE(knows_trigram_filter(*std::make_unique<TrigramFilterCache>(folder.path()), "second content"));
}

TEST(TrigramFilterCache, FindsManyFilters) {
  const Folder folder;
  TrigramFilterCache cache(folder.path());
  for (int part = 0; part < 5; ++part) {
    std::vector<ContentFilter> contents;
    for (int i = 0; i < 1000; ++i)
      contents.push_back(signed_content("content " + std::to_string(1000 * part + i)));
    cache.add(contents, 5000);
  }
  for (int i = 0; i < 5000; ++i) ASSERT_TRUE(knows_trigram_filter(cache, "content " + std::to_string(i)));
}

// Each byte is damaged in turn: every filter that is still found must be correct.
TEST(TrigramFilterCache, DropsDamagedFilters) {
  const Folder folder;
  const std::string path = folder.path() + "/signatures";
  TrigramFilterCache(folder.path()).add({signed_content("first content")}, 1);
  const auto first = std::filesystem::file_size(path);
  TrigramFilterCache(folder.path()).add({signed_content("second content")}, 1);
  std::string whole(std::filesystem::file_size(path), '\0');
  std::ifstream(path, std::ios::binary).read(whole.data(), static_cast<std::streamsize>(whole.size()));
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x41);
    std::ofstream(path, std::ios::binary) << damaged;
    TrigramFilterCache cache(folder.path());
    EXPECT_EQ(knows_trigram_filter(cache, "first content"), at >= first) << at;
    EXPECT_FALSE(knows_trigram_filter(cache, "second content")) << at;
    if (at % 7 != 0) continue;
    cache.add({signed_content("third content")}, 1);
    EXPECT_TRUE(knows_trigram_filter(cache, "third content"));
    EXPECT_TRUE(knows_trigram_filter(*std::make_unique<TrigramFilterCache>(folder.path()), "third content"));
  }
  for (std::size_t size = 0; size < whole.size(); ++size) {
    std::ofstream(path, std::ios::binary) << whole.substr(0, size);
    TrigramFilterCache cache(folder.path());
    EXPECT_EQ(knows_trigram_filter(cache, "first content"), size >= first) << size;
    EXPECT_FALSE(knows_trigram_filter(cache, "second content")) << size;
  }
}

TEST(TrigramFilterCache, RemainsBelowItsSizeLimit) {
  const Folder folder;
  TrigramFilterCache cache(folder.path(), 10'000);
  for (int i = 0; i < 1000; ++i) {
    cache.add({signed_content("content " + std::to_string(i))}, 1);
    ASSERT_LE(std::filesystem::file_size(folder.path() + "/signatures"), 10'000u);
  }
  cache.add({signed_content(Chance(1).bytes(100'000, 60))}, 1);
  EXPECT_LE(std::filesystem::file_size(folder.path() + "/signatures"), 10'000u);
}

TEST(TrigramFilterCache, EvictsTheLeastRecentlyUsed) {
  const Folder folder, other;
  TrigramFilterCache cache(folder.path());
  TrigramFilterCache all(other.path());
  std::uintmax_t largest = 0;
  for (int i = 0; i < 200; ++i) {
    std::vector<ContentFilter> contents;
    for (int j = 0; j < 100; ++j)
      contents.push_back(signed_content("content " + std::to_string(100 * i + j)));
    cache.add(contents, 100);
    all.add(contents, 20'000);
    for (int j = 0; j < 100; ++j)
      ASSERT_TRUE(knows_trigram_filter(cache, "content " + std::to_string(100 * i + j)));
    largest = std::max(largest, std::filesystem::file_size(folder.path() + "/signatures"));
  }
  EXPECT_LT(2 * largest, std::filesystem::file_size(other.path() + "/signatures"));
  EXPECT_TRUE(knows_trigram_filter(all, "content 0"));
}

// Files of a few words each. Between searches they are edited, with and without a change of their times and
// sizes, faster than the clock of the file system advances.
class Searched {
 public:
  explicit Searched(bool watched) : workspace_("new; save") {
    for (int i = 0; i < files; ++i) write(i);
    workspace_.scratch.run("git add -A; git commit -qm one");
    if (!watched) return;
    workspace_.opened->allow_watching({.log_line = {}, .pause_ns = 0});
    EXPECT_TRUE(workspace_.opened->status({}));
    EXPECT_TRUE(workspace_.opened->live_tree().wait_for_watch());
  }

  void round() {
    for (int i = chance_.below(6); i > 0; --i) edit(chance_.below(files));
    if (chance_.below(4) == 0) workspace_.wait_for_watch();
    if (chance_.below(15) == 0) workspace_.opened->trigram_filters().release_memory();
    static const GrepQuery queries[] = {
        {.pattern = "needle", .fixed = true},      {.pattern = "NEEDLE", .fixed = true, .ignore_case = true},
        {.pattern = "nee[a-z]le|hay(stack|wain)"}, {.pattern = "n..dle"},
        {.pattern = "ha", .fixed = true},
    };
    const GrepQuery& query = queries[chance_.below(5)];
    const Result<WithLease<GrepAnswer>> found = workspace_.search(query);
    ASSERT_TRUE(found) << found.error().message;
    std::vector<std::string> lines;
    for (const GrepMatch& match : found->value.matches)
      lines.push_back(match.path + ":" + std::to_string(match.line) + ":" + match.text);
    EXPECT_EQ(lines, by_reading(query)) << query.pattern << ", seed " << search_seed();
    EXPECT_EQ(found->value.files_searched, files - binaries_);
    EXPECT_EQ(found->value.skipped.binary, binaries_);
    // The lease is valid, so everything that the search recorded about each file must be true.
    EXPECT_TRUE(workspace_.search(query, found->lease.lease_id));
  }

 private:
  static constexpr int files = 40;

  std::string path_of(int file) const {
    return "d" + std::to_string(file % 3) + "/f" + std::to_string(10 + file);
  }
  std::string text() {
    static constexpr const char* words[] = {"needle",  "Needle",  "haystack", "haywain",
                                            "nothing", "at all.", "some"};
    std::string out;
    for (int i = chance_.below(5); i > 0; --i)
      out += std::string(words[chance_.below(7)]) + (i % 2 == 0 ? " " : "\n");
    return out;
  }
  void write(int file) {
    std::string bytes = text();
    if (chance_.below(10) == 0) bytes += std::string("\0x", 2);
    workspace_.scratch.write(path_of(file), bytes);
  }
  // Some edits change neither the size nor the modification time.
  void edit(int file) {
    const std::string path = workspace_.scratch.repo() + "/" + path_of(file);
    struct stat before;
    ASSERT_EQ(::stat(path.c_str(), &before), 0);
    switch (chance_.below(4)) {
      case 0: {
        std::string bytes = contents(path);
        if (!bytes.empty())
          bytes[static_cast<std::size_t>(chance_.below(static_cast<int>(bytes.size())))] ^= 0x20;
        std::ofstream(path, std::ios::binary) << bytes;
        break;
      }
      case 1:
        std::ofstream(path + ".new", std::ios::binary) << text();
        std::filesystem::rename(path + ".new", path);
        break;
      default: write(file);
    }
    if (chance_.below(2) == 0) {
      const timespec times[2] = {before.st_atim, before.st_mtim};
      ASSERT_EQ(::utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
    }
  }
  static std::string contents(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::vector<std::string> by_reading(const GrepQuery& query) {
    const Result<LineMatcher> matcher = LineMatcher::make(query.pattern, query.fixed, query.ignore_case);
    std::vector<std::string> paths;
    for (int i = 0; i < files; ++i) paths.push_back(path_of(i));
    std::sort(paths.begin(), paths.end());
    std::vector<std::string> lines;
    binaries_ = 0;
    for (const std::string& path : paths) {
      const std::string bytes = contents(workspace_.scratch.repo() + "/" + path);
      if (bytes.find('\0') != std::string::npos) {
        ++binaries_;
        continue;
      }
      for (const LineMatch& line : matcher->lines(bytes, 1000))
        lines.push_back(path + ":" + std::to_string(line.line) + ":" +
                        bytes.substr(line.begin, line.end - line.begin));
    }
    return lines;
  }

  Chance chance_;
  TestWorkspace workspace_;
  int binaries_ = 0;
};

TEST(TrigramFilter, ASearchWithItFindsTheSameMatches) {
  Searched searched(false);
  for (int i = 0; i < 150; ++i) searched.round();
}

TEST(TrigramFilter, ASearchOfAWatchedTreeFindsTheSameMatches) {
  Searched searched(true);
  for (int i = 0; i < 150; ++i) searched.round();
}

}  // namespace
}  // namespace snapgen::core

// Diffs of git whose numbers are wrong or missing, or which have the form V4A: they change the tree as the
// diff does, or are rejected. A hunk must never apply at a wrong location.
#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "tests/engine/chance.h"
#include "tests/engine/git/scratch.h"
#include "tests/engine/patch/tree.h"
#include "tests/soak/soak.h"
#include "tools/engine/patch/parse.h"
#include "tools/engine/patch/plan.h"
#include "tools/engine/patch/sides.h"

namespace snapgen::core {
namespace {

constexpr int files_max = 16;
constexpr int garbled_versions = 40;

using Lines = std::vector<std::string>;

std::string joined(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += line;
  return text;
}

Lines split(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

// Returns the lines at which `block` occurs, from 1.
std::vector<std::int64_t> places(const Lines& file, const Lines& block) {
  std::vector<std::int64_t> found;
  for (std::size_t at = 0; at + block.size() <= file.size(); ++at)
    if (std::equal(block.begin(), block.end(), file.begin() + static_cast<std::ptrdiff_t>(at)))
      found.push_back(static_cast<std::int64_t>(at) + 1);
  return found;
}

// A file of blocks of lines. Some blocks are repeated, and short lines are frequent.
Lines random_file(Chance& chance) {
  Lines blocks;
  for (int i = 0; i < 4; ++i) {
    std::string block;
    for (int line = 1 + chance.below(6); line > 0; --line)
      block += chance.below(3) == 0 ? chance.one_of({"}\n", "\n", "  {\n", "end\n"})
                                    : "  call_" + std::to_string(chance.below(12)) + "();\n";
    blocks.push_back(block);
  }
  std::string text;
  for (int count = 3 + chance.below(12); count > 0; --count) {
    text += blocks[static_cast<std::size_t>(chance.below(4))];
    if (chance.below(2) == 0) text += "unique " + std::to_string(chance.below(100000)) + "\n";
  }
  if (chance.below(5) == 0) text.pop_back();
  return split(text);
}

Lines edited(Lines lines, Chance& chance) {
  for (int edits = 1 + chance.below(4); edits > 0; --edits) {
    const auto at = lines.begin() + chance.below(static_cast<int>(lines.size()) + 1);
    const std::string line = chance.below(2) == 0 ? "  call_" + std::to_string(chance.below(12)) + "();\n"
                                                  : "new " + chance.bytes(3, 20) + "\n";
    const bool is_end = at == lines.end();
    if (!is_end && chance.below(3) == 0 && lines.size() > 1)
      lines.erase(at);
    else if (!is_end && chance.below(2) == 0)
      *at = line;
    else if (lines.back().ends_with('\n') || !is_end)
      lines.insert(at, line);
  }
  for (std::size_t i = 0; i + 1 < lines.size(); ++i)
    if (!lines[i].ends_with('\n')) lines[i] += '\n';
  return lines;
}

// One hunk of the diff, and what is known about it.
struct TrueHunk {
  std::string header;  // With its numbers, up to the second @@.
  std::string heading;
  std::string body;
  std::int64_t line = 0;
  std::int64_t count = 0;
  bool is_unique = false;  // Its old lines occur once and identify a location.
  std::vector<std::int64_t> places;
};

TrueHunk true_hunk(const Hunk& hunk, const Lines& file) {
  // Blank lines at the end may only separate the hunk from the next, so they do not identify its location.
  std::string_view body = hunk.body;
  while (body.ends_with("\n\n")) body.remove_suffix(1);
  const HunkSides sides = sides_of(body, LineEnds::unchanged);
  const StatedRanges& stated = *hunk.stated;
  TrueHunk result{.heading = hunk.headings.empty() ? "" : std::string(hunk.headings.front()),
                  .body = std::string(hunk.body),
                  .line = stated.before.first,
                  .count = stated.before.count,
                  .places = places(file, split(sides.before))};
  result.header = "@@ -" + std::to_string(stated.before.first) + "," + std::to_string(stated.before.count) +
                  " +" + std::to_string(stated.after.first) + "," + std::to_string(stated.after.count) +
                  " @@";
  result.is_unique =
      stated.before.count > 0 && result.places.size() == 1 && (sides.removes || is_distinctive(sides.before));
  return result;
}

// Returns a header without numbers, or with wrong ones at which the old lines do not fit.
std::string garbled_header(const TrueHunk& hunk, Chance& chance) {
  const bool has_heading = chance.below(3) == 0;
  const std::string heading = has_heading && !hunk.heading.empty() ? " " + hunk.heading : "";
  auto count = [&] { return std::to_string(chance.below(30)); };
  std::int64_t line = chance.below(60);
  if (std::ranges::find(hunk.places, line) != hunk.places.end()) line = 100'000 + chance.below(1000);
  switch (chance.below(hunk.count == 0 ? 2 : 6)) {
    case 0: return hunk.header + heading;
    case 1: return hunk.count == 0 ? "@@" : "@@" + heading;
    case 2: return "@@ ... @@" + heading;
    case 3: return "@@ -" + std::to_string(hunk.line) + "," + count() + " +1," + count() + " @@" + heading;
    case 4:
      return "@@ -" + std::to_string(line) + "," + count() + " +" + count() + "," + count() + " @@" + heading;
    default: return "@@ -" + std::to_string(100'000 + chance.below(1000)) + " +" + count() + " @@" + heading;
  }
}

// Returns the hunks in any order and in several parts, with wrong numbers, blank lines, text and fences.
std::string garbled(const std::string& path, std::vector<TrueHunk> hunks, Chance& chance) {
  for (std::size_t i = hunks.size(); i > 1; --i)
    std::swap(hunks[i - 1], hunks[static_cast<std::size_t>(chance.below(static_cast<int>(i)))]);
  const std::string header = chance.below(2) == 0 ? "--- a/" + path + "\n+++ b/" + path + "\n"
                                                  : "--- ./" + path + "\n+++ ./" + path + "\n";
  std::string patch = (chance.below(3) == 0 ? "Here it is:\n\n```diff\n" : "") + header;
  for (std::size_t i = 0; i < hunks.size(); ++i) {
    if (i > 0 && chance.below(3) == 0) patch += header;
    patch += garbled_header(hunks[i], chance) + "\n" + hunks[i].body;
    if (chance.below(4) == 0) patch += "\n";
  }
  if (patch.starts_with("Here")) return patch + "```\n\nThat is all.\n";
  if (chance.below(3) == 0) patch.pop_back();
  return patch;
}

// Returns the hunks in the form V4A.
std::string v4a(const std::string& path, const std::vector<TrueHunk>& hunks, Chance& chance) {
  std::string patch = "*** Begin Patch\n*** Update File: " + path + "\n";
  for (std::size_t i = 0; i < hunks.size(); ++i) {
    if (i > 0 || chance.below(2) == 0) patch += "@@\n";
    patch += hunks[i].body + (chance.below(4) == 0 ? "\n" : "");
  }
  return patch + (chance.below(4) == 0 ? "" : "*** End Patch\n");
}

class GarbledDiff : public testing::Test {
 protected:
  // Checks many garbled versions of one file's diff.
  void check(const FilePatch& file, const Tree& before, const Tree& after, Chance& chance) {
    const Lines lines = split(before.at(file.old_path).bytes);
    std::vector<TrueHunk> hunks;
    for (const Hunk& hunk : file.hunks) hunks.push_back(true_hunk(hunk, lines));
    const bool all_unique = std::ranges::all_of(hunks, &TrueHunk::is_unique);
    for (int version = 0; version < garbled_versions && !HasFailure(); ++version) {
      const std::string patch =
          chance.below(4) == 0 ? v4a(file.old_path, hunks, chance) : garbled(file.old_path, hunks, chance);
      TreeView view(before);
      const Result<PatchPlan> plan = plan_patch(parse_patch(patch), view);
      ASSERT_TRUE(plan);
      if (!plan->rejects.empty()) {
        ++rejected;
        // A wrong line at which the new lines are makes the hunk look like one that was applied before.
        const bool looks_applied = plan->rejects.front().message.find("is already as") != std::string::npos;
        EXPECT_FALSE(all_unique && !looks_applied) << plan->rejects.front().message << "\n"
                                                   << patch << "\n"
                                                   << joined(lines);
        continue;
      }
      ++applied;
      EXPECT_EQ(changed(before, plan->changes).at(file.old_path).bytes, after.at(file.old_path).bytes)
          << patch << "\n"
          << joined(lines);
    }
  }

  int applied = 0;
  int rejected = 0;
};

TEST_F(GarbledDiff, AppliesAsTheDiffDoesOrIsRejected) {
  constexpr const char* diffs[] = {"diff", "diff -U1", "diff -U0", "-c diff.suppressBlankEmpty=true diff",
                                   "diff --patience"};
  const char* wanted = std::getenv("SNAPGEN_SEED");
  const unsigned first = wanted != nullptr ? static_cast<unsigned>(std::atoll(wanted)) : 1;
  const unsigned count = wanted != nullptr ? 1 : is_soak() ? 100 : 10;
  for (unsigned seed = first; seed < first + count && !HasFailure(); ++seed) {
    SCOPED_TRACE("SNAPGEN_SEED=" + std::to_string(seed));
    Chance chance(seed);
    Tree before, after;
    for (int i = 0; i < files_max; ++i) {
      const Lines file = random_file(chance);
      before["f" + std::to_string(i)] = {FileMode::plain, joined(file)};
      after["f" + std::to_string(i)] = {FileMode::plain, joined(edited(file, chance))};
    }
    Scratch scratch;
    scratch.run("new");
    write_tree(scratch.repo(), before);
    scratch.run("save");
    write_tree(scratch.repo(), after);
    const std::string diff = scratch.answer(std::string("git ") + diffs[seed % std::size(diffs)]).output;
    const Patch patch = parse_patch(diff);
    ASSERT_TRUE(patch.rejects.empty()) << diff;
    for (const FilePatch& file : patch.files) check(file, before, after, chance);
  }
  // The test proves nothing if one of these never occurs.
  EXPECT_GT(applied, 10);
  EXPECT_GT(rejected, 10);
}

}  // namespace
}  // namespace snapgen::core

// Random trees and random edits: the output of `git diff` must turn one tree into the other, and back. In the
// form V4A the same change must give the same files.
#include <cstdlib>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "tests/engine/git/scratch.h"
#include "tests/engine/patch/gardener.h"
#include "tests/engine/patch/tree.h"
#include "tests/soak/soak.h"
#include "tools/engine/base/plain_text.h"
#include "tools/engine/patch/parse.h"
#include "tools/engine/patch/plan.h"

namespace snapgen::core {
namespace {

constexpr const char* diffs[] = {
    "diff --binary",
    "diff --binary -M",
    "diff --binary -M30 -C -C",
    "diff --binary -B",
    "diff --binary -M --no-prefix",
    "diff --binary -U1 --patience",
    "diff --binary -U0 -M",
    "diff --binary -W --full-index",
    "-c core.quotePath=false diff --binary -M",
    "-c diff.suppressBlankEmpty=true diff --binary --histogram",
    "-c diff.mnemonicPrefix=true diff --binary -C",
    "diff --binary --src-prefix=old/ --dst-prefix=new/",
};

void expect_turns(const std::string& patch, const Tree& before, const Tree& after) {
  TreeView view(before);
  for (const bool exact_lines : {true, false}) {
    Result<PatchPlan> planned = plan_patch(parse_patch(patch), view, {.exact_lines = exact_lines});
    ASSERT_TRUE(planned);
    if (before == after) {
      ASSERT_EQ(planned->rejects.size(), 1U);
      EXPECT_EQ(planned->rejects.front().message, "the patch is empty");
      return;
    }
    for (const Reject& reject : planned->rejects)
      ADD_FAILURE() << reject.path << ": " << reject.message << " (line " << reject.patch_line.value_or(0)
                    << ")\n"
                    << patch;
    Tree made = changed(before, planned->changes);
    EXPECT_EQ(made, after) << "made:\n" << described(made) << "wanted:\n" << described(after) << patch;
    for (const PatchedFile& file : planned->files)
      EXPECT_TRUE(file.moved_hunks.empty() && file.corrected_counts.empty()) << patch;
  }
}

// Returns a part of a patch in the form V4A, or an empty text if the form cannot express it.
std::string v4a_patch(const FilePatch& file) {
  using Kind = FilePatch::Kind;
  auto has_name = [](const std::string& path) {
    return path.find('\n') == std::string::npos && trimmed(path) == path;
  };
  const FileMode mode = file.kind == Kind::create ? FileMode::plain : file.old_mode.value_or(FileMode::plain);
  const bool has_mode = file.old_mode == FileMode::symlink || file.new_mode.value_or(mode) != mode;
  if (file.binary || has_mode || file.kind == Kind::copy || !has_name(file.old_path) ||
      !has_name(file.new_path))
    return {};
  std::string text = "*** Begin Patch\n";
  if (file.kind == Kind::create) text += "*** Add File: " + file.new_path + "\n";
  if (file.kind == Kind::remove) return text + "*** Delete File: " + file.old_path + "\n";
  if (file.kind != Kind::create) text += "*** Update File: " + file.old_path + "\n";
  if (file.kind == Kind::rename) text += "*** Move to: " + file.new_path + "\n";
  for (const Hunk& hunk : file.hunks)
    text += (file.kind == Kind::create ? "" : "@@\n") + std::string(hunk.body);
  return text + "*** End Patch\n";
}

// Applies each part of the diff alone, in both forms. Returns the number of parts that the form V4A can
// express and that apply.
int expect_same_in_v4a(const std::string& diff, const Tree& before) {
  int applied = 0;
  TreeView view(before);
  const Patch patch = parse_patch(diff);
  for (const FilePatch& file : patch.files) {
    const std::string text = v4a_patch(file);
    const Result<PatchPlan> unified = plan_patch({.files = {file}}, view);
    if (text.empty() || !unified->rejects.empty()) continue;
    const Result<PatchPlan> plan = plan_patch(parse_patch(text), view);
    if (!plan->rejects.empty()) {
      // Without numbers, a hunk may fit several times, or not identify a location.
      for (const Reject& reject : plan->rejects)
        EXPECT_TRUE(reject.hunk_index) << reject.message << "\n" << text;
      continue;
    }
    ++applied;
    EXPECT_EQ(changed(before, plan->changes), changed(before, unified->changes)) << text;
  }
  return applied;
}

TEST(GitDiff, ADiffOfRandomTreesAppliesAndReverts) {
  const char* wanted = std::getenv("SNAPGEN_SEED");
  std::uint32_t first = wanted != nullptr ? static_cast<std::uint32_t>(std::atoll(wanted)) : 1;
  std::uint32_t count = wanted != nullptr ? 1 : is_soak() ? 120 : 40;
  int applied_in_v4a = 0;
  for (std::uint32_t seed = first; seed < first + count && !HasFailure(); ++seed) {
    std::string diff = std::string("git ") + diffs[seed % std::size(diffs)];
    SCOPED_TRACE("SNAPGEN_SEED=" + std::to_string(seed) + " " + diff);
    Gardener gardener(seed);
    Tree before = gardener.planted();
    Tree after = gardener.edited(before);
    Scratch scratch;
    write_tree(scratch.outside("before"), before);
    write_tree(scratch.outside("after"), after);
    scratch.run(
        "new\n"
        "stored() { mkdir -p ../$1; cd ../$1; export GIT_DIR=../repo/.git GIT_WORK_TREE=. "
        "GIT_INDEX_FILE=../repo/.git/$1.index; git add -A .; git write-tree; }\n"
        "from=$(stored before); to=$(stored after)\n" +
        diff + " $from $to > ../forth\n" + diff + " $to $from > ../back\n" + diff +
        " -R $from $to > ../undo\n");
    expect_turns(bytes_of_file(scratch.outside("forth")), before, after);
    applied_in_v4a += expect_same_in_v4a(bytes_of_file(scratch.outside("forth")), before);
    expect_turns(bytes_of_file(scratch.outside("back")), after, before);
    expect_turns(bytes_of_file(scratch.outside("undo")), after, before);
  }
  if (wanted != nullptr) return;
  EXPECT_GT(applied_in_v4a, 10) << "else the comparison proves nothing";
}

}  // namespace
}  // namespace snapgen::core

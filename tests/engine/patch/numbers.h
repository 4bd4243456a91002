#pragma once
// Patches of one file of numbers, which the tests of parsing, placing and applying share.
#include <string>

#include <gtest/gtest.h>

#include "tests/engine/patch/tree.h"
#include "tools/engine/patch/parse.h"
#include "tools/engine/patch/plan.h"

namespace snapgen::core {

inline PatchPlan planned(const std::string& patch, const Tree& tree, const PatchPlanOptions& options = {}) {
  TreeView view(tree);
  Result<PatchPlan> plan = plan_patch(parse_patch(patch), view, options);
  EXPECT_TRUE(plan);
  return plan ? std::move(*plan) : PatchPlan();
}

inline std::string numbers(int from, int to) {
  std::string text;
  for (int i = from; i <= to; ++i) text += std::to_string(i) + "\n";
  return text;
}

// Returns a hunk that changes line 10 of a file of numbers, and states the line number `line`.
inline std::string hunk_at(int line) {
  const std::string at = std::to_string(line);
  return "@@ -" + at + ",3 +" + at + ",3 @@\n 9\n-10\n+TEN\n 11\n";
}

inline const std::string f_header = "--- a/f\n+++ b/f\n";
inline const std::string no_newline = "\\ No newline at end of file\n";
inline constexpr PatchPlanOptions exactly{.exact_lines = true};

}  // namespace snapgen::core

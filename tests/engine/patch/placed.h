#pragma once
// Hunks for one file, and what becomes of it.
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "tests/engine/patch/numbers.h"

namespace snapgen::core {

// Plans hunks for the file f.
inline PatchPlan placed(const std::string& file, const std::string& hunks,
                        const PatchPlanOptions& options = {}) {
  return planned(f_header + hunks, {{"f", {FileMode::plain, file}}}, options);
}

// Returns the file after the hunks, or the messages of all rejects.
inline std::string applied(const std::string& file, const std::string& hunks) {
  const PatchPlan plan = placed(file, hunks);
  std::string messages;
  for (const Reject& reject : plan.rejects) messages += reject.message + "\n";
  if (!messages.empty()) return messages;
  return plan.changes.empty() ? file : plan.changes.front().bytes;
}

inline Reject rejected(const std::string& file, const std::string& hunks) {
  const PatchPlan plan = placed(file, hunks);
  EXPECT_EQ(plan.rejects.size(), 1U);
  return plan.rejects.empty() ? Reject() : plan.rejects.front();
}

// Returns the text with other words for the first occurrence of `words`.
inline std::string replaced(std::string text, std::string_view words, std::string_view others) {
  return text.replace(text.find(words), words.size(), others);
}

// Functions whose bodies are equal.
inline const std::string functions =
    "def first():\n    value = compute()\n    return value\n\n"
    "def second():\n    value = compute()\n    return value\n\n"
    "def third():\n    value = compute()\n    return value\n";
inline const std::string in_function = "     value = compute()\n-    return value\n+    return -value\n";

}  // namespace snapgen::core

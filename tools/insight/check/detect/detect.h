#pragma once
// Detects the checks that a workspace supports from its files alone, without executing anything.
#include <string>
#include <vector>

#include "tools/insight/check/command.h"

namespace snapgen::core {

struct DetectedChecks {
  std::vector<CheckCommand> commands;  // The commands, those of a chain one after the other.
  std::vector<SkippedCheck> skipped;
};

// Inspects the root and, for project types that the root does not have, its direct subfolders. `root` is
// absolute; `path` is the variable PATH for programs that the project does not contain.
//
// Detects TypeScript, ESLint, Biome, the scripts of package.json (npm, pnpm, yarn, bun; jest, vitest, node
// --test); ruff, flake8, pylint, mypy, pytest, unittest; Cargo; Go; CMake and Meson, if a build folder is
// configured; and the targets `test` and `check` of Make, if nothing else runs tests.
DetectedChecks detect_checks(const std::string& root, const std::string& path);

}  // namespace snapgen::core

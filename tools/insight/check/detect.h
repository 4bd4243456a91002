#pragma once
// What of a workspace can be checked by running something: found from its files alone. Nothing is executed.
#include <string>
#include <vector>

#include "tools/insight/check/command.h"

namespace snapgen::core {

struct Detected {
  std::vector<CheckCommand> commands;  // Those of one chain one behind the other.
  std::vector<SkippedCheck> skipped;
};

// Looks at the workspace's folder, and, for kinds of projects that it does not hold itself, at the folders in
// it. `root`: absolute. `path`: the variable PATH, where programs are looked up that no project brings.
//
// TypeScript, ESLint, Biome, the scripts of package.json (npm, pnpm, yarn, bun; jest, vitest, node --test);
// ruff, mypy, pytest; Cargo; Go; CMake and Meson, where a build folder is configured.
Detected detect_checks(const std::string& root, const std::string& path);

}  // namespace snapgen::core

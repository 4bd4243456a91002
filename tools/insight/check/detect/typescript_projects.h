#pragma once
// The projects of TypeScript in a folder: its tsconfig.json, and those that this one references.
#include <cstddef>
#include <string>
#include <vector>

#include "tools/insight/check/detect/detection_builder.h"

namespace snapgen::core {

inline constexpr std::size_t typescript_projects_max = 64;

// A project of TypeScript: a tsconfig.json with source files.
struct TypescriptProject {
  std::string path;  // Relative to the workspace's root.
  bool is_referenced = false;
  bool is_composite = false;
};

struct TypescriptProjects {
  std::vector<TypescriptProject> alone;      // Can be checked without others.
  std::vector<TypescriptProject> dependent;  // Need the declarations that a build of others writes.
  bool is_cut = false;                       // There are more than typescript_projects_max.
};

// `tsc --build --noEmit` cannot check these: a project that references another one needs its declarations,
// which `--noEmit` does not write (TS6310). Before TypeScript 5.6 these options exclude each other.
TypescriptProjects read_typescript_projects(const ProjectFolder& here);

// Returns the project of this configuration, relative to the root, as one of which tsc may write a
// .tsbuildinfo.
TypescriptProject read_typescript_project(const ProjectFolder& here, const std::string& path);

}  // namespace snapgen::core

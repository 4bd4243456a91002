#pragma once
// Protected paths: the names of files that decide what this server, git or an AI host may do, or that they
// run.
//
// Tools never change them, because a model must not rewrite its own rules or plant a program that its host
// starts. Names count at any depth and in any letter case, because a host may be started in any folder. In
// the folder of a host everything is protected but what is plainly text for a model. protected_links.h finds
// the files to which such names are symlinks.
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace snapgen::core {

bool is_protected_path(std::string_view path);

// Whether `path` is a folder that can contain protected files: `a/.vscode`, `.claude`.
bool is_above_protected(std::string_view path);

// Returns the first components of protected names: `.claude`, `.mcp.json`, `.vscode`, ...
std::span<const std::string_view> protected_top_names();

// Returns the user's files and folders, as absolute paths, that decide what this server, git or a host does.
// They matter if the home folder is the workspace, or if they are symlinks into it. Some may not exist.
std::vector<std::string> protected_user_paths();

}  // namespace snapgen::core

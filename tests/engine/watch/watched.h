#pragma once
// WatchingTree and Watched: a watched work tree on a repository built by the git program.
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "tests/engine/git/scratch.h"
#include "tools/engine/git/repository/repository.h"
#include "tools/engine/watch/live_tree.h"

namespace snapgen::core {

// Returns a line for each file with its state, and for each omitted path.
inline std::string listed(const FileList& files) {
  std::string out;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const FileStat stat = files.stat(i);
    out += shown(files.path(i));
    for (const std::uint64_t value :
         {static_cast<std::uint64_t>(stat.size), static_cast<std::uint64_t>(stat.mtime_ns),
          static_cast<std::uint64_t>(stat.ctime_ns), stat.inode, stat.device, std::uint64_t{stat.mode},
          std::uint64_t{files.is_hard_linked(i)}}) {
      out += " " + std::to_string(value);
    }
    out += "\n";
  }
  for (const SkippedPath& one : files.skipped())
    out += "skipped " + shown(one.path) + " " + std::to_string(static_cast<int>(one.reason)) + "\n";
  return out;
}

// Several objects on one repository behave like several processes. They share watches if the folder `offers`
// outside the repository exists.
class WatchingTree {
 public:
  explicit WatchingTree(const Scratch& scratch, std::size_t folders_max = 1000, ListScope scope = {})
      : scratch(scratch) {
    Result<Repository> opened = Repository::open(scratch.repo(), scratch.environment());
    if (!opened) {
      ADD_FAILURE() << opened.error().message;
      return;
    }
    repository = std::make_unique<Repository>(*std::move(opened));
    tree = std::make_unique<LiveTree>(*repository, std::move(scope));
    tree->allow_watching({.log_line = [this](std::string_view line) { reports.emplace_back(line); },
                          .folders_max = folders_max,
                          .pause_ns = 0,
                          .offers_folder = scratch.outside("offers")});
  }

  // Reads the tree and waits for the work that this starts. Returns whether the tree is now watched.
  bool arm() {
    const Result<std::shared_ptr<const GitStatus>> first = tree->status({});
    EXPECT_TRUE(first) << first.error().message;
    return tree->wait_for_watch();
  }

  std::string status() {
    const Result<std::shared_ptr<const GitStatus>> status = tree->status({});
    return status ? shown((*status)->porcelain_output) : "error: " + status.error().message;
  }
  bool is_watched() const { return tree->verified_ns().has_value(); }

  // Returns the cached files, and those that a new walk finds.
  std::string files() {
    const Result<LiveFiles> files = tree->files({});
    if (!files) return "error: " + files.error().message;
    EXPECT_EQ(files->moment.has_value(), is_watched());
    return listed(*files->files);
  }
  std::string files_by_walk(const ListScope& scope = {}) const {
    Result<FileListing> listing = list_files(*repository);
    return listing ? listed(file_list_of(*std::move(listing), scope)) : "error: " + listing.error().message;
  }

  // Runs a script and compares with git; the answer must come from the watched tree.
  void expect_git(std::string_view script) {
    scratch.run(script);
    SCOPED_TRACE(script);
    const std::string answer = status();
    EXPECT_TRUE(is_watched()) << (reports.empty() ? "" : reports.back());
    EXPECT_EQ(answer, shown(scratch.truth().status));
    EXPECT_EQ(files(), files_by_walk());
    EXPECT_TRUE(is_watched()) << (reports.empty() ? "" : reports.back());
  }

  const Scratch& scratch;
  std::vector<std::string> reports;  // Written by another thread; read when the tree is idle.
  std::unique_ptr<Repository> repository;
  std::unique_ptr<LiveTree> tree;
};

struct BuiltScratch {
  explicit BuiltScratch(std::string_view script) { built.run(script); }
  Scratch built;
};

// The repository, and a watched tree on it.
class Watched : private BuiltScratch, public WatchingTree {
 public:
  explicit Watched(std::string_view script, std::size_t folders_max = 1000, ListScope scope = {})
      : BuiltScratch(script), WatchingTree(built, folders_max, std::move(scope)) {}
};

}  // namespace snapgen::core

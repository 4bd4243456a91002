#pragma once
// Watched: a live tree on a repository that the real git builds, asked while it is watched.
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "tests/core/git/scratch.h"
#include "tools/core/git/repository.h"
#include "tools/core/watch/live_tree.h"

namespace snapgen::core {

class Watched {
 public:
  explicit Watched(std::string_view script, std::size_t folders_max = 1000) {
    scratch.run(script);
    Result<Repository> opened = Repository::open(scratch.repo(), scratch.environment());
    if (!opened) {
      ADD_FAILURE() << opened.error().message;
      return;
    }
    repository = std::make_unique<Repository>(*std::move(opened));
    tree = std::make_unique<LiveTree>(*repository);
    tree->watch({.report = [this](std::string_view line) { reports.emplace_back(line); },
                 .folders_max = folders_max,
                 .pause_ns = 0});
  }

  // Asks, and waits for what that begins. Whether the tree is watched now.
  bool arm() {
    const Result<std::shared_ptr<const Status>> first = tree->status({});
    EXPECT_TRUE(first) << first.error().message;
    return tree->wait_until_settled();
  }

  std::string status() {
    const Result<std::shared_ptr<const Status>> status = tree->status({});
    return status ? shown((*status)->bytes) : "error: " + status.error().message;
  }
  bool is_watched() const { return tree->known_since_ns().has_value(); }

  // Runs a script and compares with git; the answer must come from the watched tree.
  void expect_git(std::string_view script) {
    scratch.run(script);
    SCOPED_TRACE(script);
    const std::string answer = status();
    EXPECT_TRUE(is_watched()) << (reports.empty() ? "" : reports.back());
    EXPECT_EQ(answer, shown(scratch.truth().status));
  }

  Scratch scratch;
  std::vector<std::string> reports;  // Written by another thread; read when the tree is settled.
  std::unique_ptr<Repository> repository;
  std::unique_ptr<LiveTree> tree;
};

}  // namespace snapgen::core

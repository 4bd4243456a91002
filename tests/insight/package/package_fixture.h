#pragma once
// A repository with manifests and lock files, for tests of the analysis of packages.
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "tests/engine/git/scratch.h"
#include "tools/insight/package/package.h"

namespace snapgen::core {

class PackageFixture : public testing::Test {
 protected:
  PackageFixture() { scratch_.run("new"); }

  // Writes a file, and creates its folders.
  void put(const std::string& name, const std::string& text) const {
    const std::filesystem::path path = std::filesystem::path(scratch_.repo()) / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  Result<PackageAnswer> look(const PackageQuery& query = {}) const {
    Root root = TRY(Root::open(scratch_.repo()));
    return inspect_packages(root, query);
  }

  Scratch scratch_;
};

}  // namespace snapgen::core

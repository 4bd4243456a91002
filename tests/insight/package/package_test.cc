// The report on dependencies depends on which manifests, lock files and installed packages exist.
#include "tools/insight/package/package.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "tests/insight/package/package_fixture.h"

namespace snapgen::core {
namespace {

namespace fs = std::filesystem;

class PackageTest : public PackageFixture {
 protected:
  // Returns the codes of the issues of one package, in order, each with a semicolon.
  std::string issues(const std::string& name) const {
    Result<PackageAnswer> answer = look({.folder = {}, .name = name, .version = {}});
    if (!answer) return answer.error().message;
    std::string text;
    for (const PackageNote& each : answer->packages.at(0).notes)
      text += std::to_string(static_cast<int>(each.issue)) + ";";
    return text;
  }
  static std::string issue(PackageIssue which) { return std::to_string(static_cast<int>(which)) + ";"; }
};

TEST_F(PackageTest, ASoundPackageHasNoIssues) {
  put("package.json", R"({"dependencies":{"good":"1.2.3"}})");
  put("package-lock.json",
      R"({"packages":{"node_modules/good":{"version":"1.2.3","resolved":"https://registry.npmjs.org/good/-/good-1.2.3.tgz","integrity":"sha512-x"}}})");
  put("node_modules/good/package.json", R"({"name":"good","version":"1.2.3","license":"MIT"})");
  EXPECT_EQ(issues("good"), "");
  Result<PackageAnswer> answer = look();
  ASSERT_TRUE(answer);
  const PackageReport& one = answer->packages.at(0);
  EXPECT_EQ(one.declared + one.locked + one.installed + one.licence, "1.2.31.2.31.2.3MIT");
  EXPECT_EQ(answer->manifests, std::vector<std::string>{"package.json"});
  EXPECT_EQ(answer->lock_files, std::vector<std::string>{"package-lock.json"});
}

TEST_F(PackageTest, ReportsAnotherInstalledVersionAndInstallScripts) {
  put("package.json", R"({"dependencies":{"odd":"^1.0.0"}})");
  put("package-lock.json", R"({"dependencies":{"odd":{"version":"1.0.1"}}})");
  put("node_modules/odd/package.json",
      R"({"version":"1.0.2","scripts":{"postinstall":"node x.js","test":"t"}})");
  EXPECT_EQ(issues("odd"), issue(PackageIssue::version_mismatch) + issue(PackageIssue::no_licence) +
                               issue(PackageIssue::install_script));
  EXPECT_EQ(look()->packages.at(0).install_scripts, std::vector<std::string>{"postinstall: node x.js"});
}

TEST_F(PackageTest, APackageOfTheWorkspaceNeedsNoLicence) {
  put("package.json",
      R"({"workspaces":["packages/*"],"dependencies":{"own":"*","linked":"^1.0.0","near":"file:packages/near",)"
      R"("packed":"file:packed.tgz","far":"file:../far"}})");
  put("package-lock.json",
      R"({"packages":{"node_modules/linked":{"resolved":"packages/linked","link":true}}})");
  for (const std::string name : {"linked", "near", "packed", "far"})
    put("node_modules/" + name + "/package.json", R"({"version":"1.0.0"})");
  const auto lacks_licence = [&](const std::string& name) {
    const std::string each = ";" + issues(name);
    return each.find(";" + issue(PackageIssue::no_licence)) != std::string::npos;
  };
  EXPECT_FALSE(lacks_licence("linked"));
  EXPECT_FALSE(lacks_licence("near"));
  EXPECT_TRUE(lacks_licence("packed"));
  EXPECT_TRUE(lacks_licence("far"));
  EXPECT_EQ(look()->workspace_globs, (std::vector<std::string>{"/packages/*"}));
}

TEST_F(PackageTest, ReportsAnInstalledVersionOutsideOfTheDeclaredRange) {
  put("package.json", R"({"dependencies":{"odd":"^2.0.0"}})");
  put("node_modules/odd/package.json", R"({"version":"1.0.2","license":"MIT"})");
  EXPECT_EQ(issues("odd"), issue(PackageIssue::version_mismatch) + issue(PackageIssue::not_locked));
  EXPECT_EQ(look()->packages.at(0).notes.at(0).message, "package.json asks for ^2.0.0, installed is 1.0.2.");
}

TEST_F(PackageTest, LockFilesOfOtherManagersAreOnlySearchedForTheName) {
  put("package.json", R"({"dependencies":{"named":"1.0.0","other":"1.0.0"}})");
  put("yarn.lock", "named@1.0.0:\n  version \"1.0.0\"\n");
  EXPECT_EQ(issues("named"), issue(PackageIssue::not_installed));
  EXPECT_EQ(issues("other"), issue(PackageIssue::not_locked) + issue(PackageIssue::not_installed));
}

TEST_F(PackageTest, ReadsRequirementsInUtf16) {
  std::string utf16 = "\xff\xfe";
  for (const char byte : std::string("flask==3.0.0\r\n")) {
    utf16 += byte;
    utf16 += '\0';
  }
  put("requirements.txt", utf16);
  const Result<PackageAnswer> answer = look();
  ASSERT_TRUE(answer) << answer.error().message;
  ASSERT_EQ(answer->packages.size(), 1U);
  EXPECT_EQ(answer->packages[0].name, "flask");
}

TEST_F(PackageTest, RejectsInvalidPackageFiles) {
  EXPECT_EQ(look().error().code, ErrorCode::not_found);
  put("package.json", "[1]");
  EXPECT_EQ(look()->problems, std::vector<std::string>{"package.json:1:1: it is not a JSON object."});
  put("package.json", "{\n\"dependencies\":{\"kept\":\"1.0.0\",\"a\":");
  Result<PackageAnswer> cut = look();
  ASSERT_TRUE(cut) << cut.error().message;
  EXPECT_EQ(cut->problems, std::vector<std::string>{"package.json:2:36: not JSON: the text ends too early."});
  EXPECT_EQ(cut->packages.front().name, "kept") << "packages before the error are reported";
  put("package.json", R"({"dependencies":{"a":1,"b":["x"],"../../etc":"1.0.0"},"devDependencies":"none"})");
  put("package-lock.json", R"({"packages":{"node_modules/a":7,"":null}})");
  Result<PackageAnswer> answer = look();
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(answer->packages.size(), 3u);
  EXPECT_EQ(answer->problems,
            (std::vector<std::string>{"package.json:1:22: the version of \"a\" is not a string.",
                                      "package.json:1:28: the version of \"b\" is not a string.",
                                      "package.json:1:73: \"devDependencies\" is not an object."}));
}

TEST_F(PackageTest, NodeModulesIsNotFollowedIfItIsASymlink) {
  put("package.json", R"({"dependencies":{"a":"1.0.0"}})");
  const fs::path outside = scratch_.outside("modules");
  fs::create_directories(outside / "a");
  std::ofstream(outside / "a/package.json") << R"({"version":"6.6.6"})";
  fs::create_directory_symlink(outside, fs::path(scratch_.repo()) / "node_modules");
  EXPECT_EQ(look()->packages.at(0).installed, "");
}

TEST_F(PackageTest, SimilarNamesAreComparedWithinALimit) {
  const auto declare = [&](int count) {
    std::string names;
    for (int i = 0; i < count; ++i) names += (i > 0 ? ",\"pack" : "\"pack") + std::to_string(i) + "\":\"1\"";
    put("package.json", R"({"dependencies":{)" + names + "}}");
  };
  const auto namesakes = [](const PackageReport& report) {
    return std::ranges::count(report.notes, PackageIssue::near_miss, &PackageNote::issue);
  };
  declare(100);
  Result<PackageAnswer> few = look();
  ASSERT_TRUE(few);
  EXPECT_EQ(namesakes(few->packages.front()), 10);
  EXPECT_TRUE(few->problems.empty());
  declare(20'000);
  Result<PackageAnswer> many = look();
  ASSERT_TRUE(many);
  EXPECT_EQ(namesakes(many->packages.front()), 0);
  EXPECT_EQ(many->problems,
            std::vector<std::string>{"The names of the 20000 packages in package.json were not compared with "
                                     "one another, because there are too many."});
  Result<PackageAnswer> one = look({.folder = {}, .name = "pakc7", .version = {}});
  ASSERT_TRUE(one);
  EXPECT_EQ(namesakes(one->packages.front()), 1);
}

}  // namespace
}  // namespace snapgen::core

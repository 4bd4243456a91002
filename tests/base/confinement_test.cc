#include "runtime/base/confinement.h"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace snapgen {
namespace {

bool writes(const std::string& path) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (fd >= 0) ::close(fd);
  return fd >= 0;
}

// Two folders. Each test runs in a child process, because a confinement cannot be undone.
class ConfinementTest : public testing::Test {
 protected:
  void SetUp() override {
    if (landlock_abi() == 0) GTEST_SKIP() << "SKIPPED: this kernel has no Landlock of ABI 2 or later";
    ASSERT_NE(::mkdtemp(top_.data()), nullptr);
    for (const char* name : {"/in", "/out", "/in/folder", "/out/folder"})
      std::filesystem::create_directory(top_ + name);
    ASSERT_TRUE(writes(top_ + "/in/file") && writes(top_ + "/out/file"));
  }
  void TearDown() override { std::filesystem::remove_all(top_); }

  // Returns the result of `holds` in a child process that may write below "in". In the folder "deletable", if
  // it exists, the child may create folders and delete files.
  bool confined(const std::function<bool(const std::string& in, const std::string& out)>& holds) {
    const pid_t child = ::fork();
    if (child == 0) {
      const Result<Unit> done = confine({.writable_folders = {top_ + "/in", top_ + "/nowhere"},
                                         .deletable_folders = {top_ + "/deletable"},
                                         .writable_files = {"/dev/null"}});
      ::_exit(done && holds(top_ + "/in", top_ + "/out") ? 0 : 1);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }

  std::string top_ = "/tmp/snapgen-confinement-XXXXXX";
};

TEST_F(ConfinementTest, WritesOnlyBelowAllowedFolders) {
  EXPECT_TRUE(confined([](const std::string& in, const std::string& out) {
    return writes(in + "/new") && writes(in + "/file") && !writes(out + "/new") && errno == EACCES &&
           !writes(out + "/file") && ::truncate((out + "/file").c_str(), 0) != 0 && writes("/dev/null");
  }));
}

TEST_F(ConfinementTest, CreatesRemovesAndMovesNothingElsewhere) {
  EXPECT_TRUE(confined([](const std::string& in, const std::string& out) {
    const auto fails = [](int result) { return result != 0; };
    return fails(::mkdir((out + "/new").c_str(), 0700)) && fails(::unlink((out + "/file").c_str())) &&
           fails(::rmdir((out + "/folder").c_str())) && fails(::symlink("x", (out + "/link").c_str())) &&
           fails(::rename((in + "/file").c_str(), (out + "/moved").c_str())) &&
           fails(::rename((out + "/file").c_str(), (in + "/moved").c_str())) &&
           fails(::link((in + "/file").c_str(), (out + "/linked").c_str())) &&
           fails(::mkfifo((out + "/fifo").c_str(), 0600)) &&
           ::rename((in + "/file").c_str(), (in + "/folder/moved").c_str()) == 0;
  }));
}

TEST_F(ConfinementTest, BelowPassingFoldersOnlyFoldersCanBeCreatedAndFilesDeleted) {
  const std::string deletable_folders = top_ + "/deletable";
  std::filesystem::create_directory(deletable_folders);
  for (const char* name : {"/stays", "/goes"}) ASSERT_TRUE(writes(deletable_folders + name));
  EXPECT_TRUE(confined([&](const std::string& in, const std::string&) {
    const std::string made = deletable_folders + "/made";
    return ::mkdir(made.c_str(), 0700) == 0 && !writes(made + "/file") &&
           !writes(deletable_folders + "/stays") && ::symlink("x", (made + "/link").c_str()) != 0 &&
           ::rename((deletable_folders + "/stays").c_str(), (in + "/moved").c_str()) != 0 &&
           ::rmdir(made.c_str()) == 0 && ::unlink((deletable_folders + "/goes").c_str()) == 0;
  }));
  EXPECT_TRUE(std::filesystem::exists(deletable_folders + "/stays"));
}

TEST_F(ConfinementTest, ReadingIsNotRestricted) {
  EXPECT_TRUE(confined([](const std::string&, const std::string& out) {
    const int fd = ::open((out + "/file").c_str(), O_RDONLY);
    return fd >= 0 && ::access("/etc/passwd", R_OK) == 0;
  }));
}

TEST_F(ConfinementTest, LaterThreadsAndProcessesAreConfined) {
  EXPECT_TRUE(confined([](const std::string&, const std::string& out) {
    bool wrote = true;
    std::thread([&] { wrote = writes(out + "/by-a-thread"); }).join();
    const std::string command = ": 2>/dev/null > '" + out + "/by-a-program'";
    return !wrote && std::system(command.c_str()) != 0;
  }));
}

TEST_F(ConfinementTest, EarlierThreadsAreNotConfined) {
  EXPECT_TRUE(confined([](const std::string&, const std::string&) { return true; }));
  const pid_t child = ::fork();
  if (child == 0) {
    bool done = false;
    std::thread other([&] {
      done = static_cast<bool>(
          confine({.writable_folders = {top_ + "/in"}, .deletable_folders = {}, .writable_files = {}}));
    });
    other.join();
    ::_exit(done && writes(top_ + "/out/new") ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace snapgen

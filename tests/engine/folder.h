#pragma once
// Folder: a temporary folder for one test, deleted with its contents.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

namespace snapgen::core {

class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "snapgen-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) ADD_FAILURE() << "cannot create a temporary folder";
    path_ = std::filesystem::canonical(name).string();
  }
  Folder(Folder&&) = delete;
  ~Folder() {
    std::error_code ignored;
    for (auto& entry : std::filesystem::recursive_directory_iterator(path_, ignored)) {
      if (entry.is_directory(ignored) && !entry.is_symlink(ignored)) ::chmod(entry.path().c_str(), 0700);
    }
    std::filesystem::remove_all(path_, ignored);
  }

  const std::string& path() const { return path_; }
  std::string operator/(std::string_view name) const { return path_ + "/" + std::string(name); }

  // Writes a file and creates the folders above it.
  void write(std::string_view name, std::string_view content) const {
    std::filesystem::path file = *this / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << content;
  }
  std::string read(std::string_view name) const {
    std::ostringstream out;
    out << std::ifstream(*this / name, std::ios::binary).rdbuf();
    return out.str();
  }
  void link(std::string_view name, std::string_view target) const {
    std::filesystem::path file = *this / name;
    std::filesystem::create_directories(file.parent_path());
    std::filesystem::create_symlink(target, file);
  }

 private:
  std::string path_;
};

// While an object of this class exists, a test that runs as root has the permissions of the user `nobody`.
class Unprivileged {
 public:
  Unprivileged() : user_(::geteuid()) {
    if (user_ == 0 && ::seteuid(65534) != 0) ADD_FAILURE() << "cannot change to the user nobody";
  }
  Unprivileged(Unprivileged&&) = delete;
  ~Unprivileged() {
    if (user_ == 0 && ::seteuid(0) != 0) ADD_FAILURE() << "cannot change back to root";
  }

 private:
  uid_t user_;
};

}  // namespace snapgen::core

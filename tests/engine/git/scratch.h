#pragma once
// Scratch: a temporary folder in which the git program builds repositories, with fixed names, dates and
// configuration. Tests compare our results with the output of git.
#include <string>
#include <string_view>
#include <vector>

#include "tools/engine/git/repository/repository.h"
#include "tools/engine/git/status/fingerprint.h"
#include "tools/engine/git/walk/files.h"

namespace snapgen::core {

class Scratch {
 public:
  Scratch();  // Creates the folder with `home` and an empty `repo`.
  Scratch(Scratch&&) = delete;
  ~Scratch();

  const std::string& repo() const { return repo_; }
  std::string outside(std::string_view name) const { return folder_ + "/" + std::string(name); }
  Environment environment() const;

  // Runs a shell script (sh -e) in the repository. The test fails if the script fails.
  void run(std::string_view script) const;
  void write(std::string_view path, std::string_view content) const;

  struct Answer {
    int exit_code = 0;
    std::string output;
  };
  Answer answer(std::string_view script) const;

  // The state of the repository as git reports it. git write-tree works on a copy of the index.
  struct Truth {
    std::string head_oid;
    std::string index_oid;
    std::string status;
    bool failed = false;  // git status reported an error
  };
  Truth truth() const;

  // Returns the files that git tracks or would add and that are regular files or symlinks on disk, sorted,
  // with a NUL after each.
  std::string listed_files() const;

  // Returns every file below `.git` with size, times and inode, to prove that reading writes nothing.
  std::string git_dir_listing() const;

 private:
  std::string folder_;
  std::string repo_;
};

std::string bytes_of_file(const std::string& path);  // Empty if the file cannot be read.

// Returns the paths of a listing, with a NUL after each.
std::string paths_of(const FileListing& listing);

// Returns one line per file of a listing and per omitted path with its reason, for comparisons.
std::string listing_text(const FileListing& listing);

// For messages: shows NUL as "\0" and other unprintable bytes in hex.
std::string shown(std::string_view bytes);

}  // namespace snapgen::core

#pragma once
// Loads libgit2 on first use: its dozen libraries take milliseconds to link. For use in git/ only.
#include <string>

#include <git2.h>

namespace snapgen::core::git {

// The functions of libgit2 in use, typed by its header. The ABI is versioned by the minor number: only the
// version that the server was compiled for may be loaded.
struct Libgit2 {
  decltype(&git_libgit2_init) init = nullptr;
  decltype(&git_odb_open) odb_open = nullptr;
  decltype(&git_odb_free) odb_free = nullptr;
  decltype(&git_odb_read) odb_read = nullptr;
  decltype(&git_odb_read_header) odb_read_header = nullptr;
  decltype(&git_odb_exists) odb_exists = nullptr;
  decltype(&git_odb_object_data) object_data = nullptr;
  decltype(&git_odb_object_size) object_size = nullptr;
  decltype(&git_odb_object_type) object_type = nullptr;
  decltype(&git_odb_object_free) object_free = nullptr;
  decltype(&git_object_type2string) type_text = nullptr;
  decltype(&git_diff_options_init) diff_options_init = nullptr;
  decltype(&git_diff_buffers) diff_buffers = nullptr;
  decltype(&git_error_last) error_last = nullptr;
  std::string load_error;  // Empty if the library was loaded.

  Libgit2();
};

// Loads the library on first use, for the lifetime of the process.
const Libgit2& libgit2();

}  // namespace snapgen::core::git

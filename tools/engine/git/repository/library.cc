#include "tools/engine/git/repository/library.h"

#include "runtime/base/shared_library.h"

namespace snapgen::core::git {

#define SNAPGEN_TEXT_OF(token) #token
#define SNAPGEN_TEXT(token) SNAPGEN_TEXT_OF(token)

Libgit2::Libgit2() {
  constexpr const char* name =
      "libgit2.so." SNAPGEN_TEXT(LIBGIT2_VER_MAJOR) "." SNAPGEN_TEXT(LIBGIT2_VER_MINOR);
  SharedLibrary git2(name);
  if (!git2.is_loaded()) {
    load_error = std::string(name) + " cannot be loaded";
    return;
  }
  git2.load_function("git_libgit2_init", init);
  git2.load_function("git_odb_open", odb_open);
  git2.load_function("git_odb_free", odb_free);
  git2.load_function("git_odb_read", odb_read);
  git2.load_function("git_odb_read_header", odb_read_header);
  git2.load_function("git_odb_exists", odb_exists);
  git2.load_function("git_odb_object_data", object_data);
  git2.load_function("git_odb_object_size", object_size);
  git2.load_function("git_odb_object_type", object_type);
  git2.load_function("git_odb_object_free", object_free);
  git2.load_function("git_object_type2string", type_text);
  git2.load_function("git_diff_options_init", diff_options_init);
  git2.load_function("git_diff_buffers", diff_buffers);
  git2.load_function("git_error_last", error_last);
  if (!git2.missing_function().empty())
    load_error = "libgit2 lacks " + git2.missing_function();
  else if (init() < 0)
    load_error = "libgit2 cannot be started";
}

const Libgit2& libgit2() {
  static const Libgit2 loaded;
  return loaded;
}

}  // namespace snapgen::core::git

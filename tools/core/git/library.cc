#include "tools/core/git/library.h"

#include <cstring>

#include <dlfcn.h>

namespace snapgen::core::git {

#define SNAPGEN_TEXT_OF(token) #token
#define SNAPGEN_TEXT(token) SNAPGEN_TEXT_OF(token)

Library::Library() {
  constexpr const char* name =
      "libgit2.so." SNAPGEN_TEXT(LIBGIT2_VER_MAJOR) "." SNAPGEN_TEXT(LIBGIT2_VER_MINOR);
  void* const handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    problem = std::string(name) + " cannot be loaded";
    return;
  }
  find(handle, "git_libgit2_init", init);
  find(handle, "git_odb_open", odb_open);
  find(handle, "git_odb_free", odb_free);
  find(handle, "git_odb_read", odb_read);
  find(handle, "git_odb_read_header", odb_read_header);
  find(handle, "git_odb_exists", odb_exists);
  find(handle, "git_odb_object_data", object_data);
  find(handle, "git_odb_object_size", object_size);
  find(handle, "git_odb_object_type", object_type);
  find(handle, "git_odb_object_free", object_free);
  find(handle, "git_object_type2string", type_text);
  find(handle, "git_diff_options_init", diff_options_init);
  find(handle, "git_diff_buffers", diff_buffers);
  find(handle, "git_error_last", error_last);
  if (problem.empty() && init() < 0) problem = "libgit2 cannot be started";
}

template <class Function>
void Library::find(void* handle, const char* name, Function& out) {
  void* const symbol = dlsym(handle, name);
  if (symbol == nullptr) problem = std::string("libgit2 lacks ") + name;
  std::memcpy(&out, &symbol, sizeof out);
}

const Library& library() {
  static const Library loaded;
  return loaded;
}

}  // namespace snapgen::core::git

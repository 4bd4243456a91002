#pragma once
// SharedLibrary: a library that is loaded on first use, so that startup does not pay for it.
#include <bit>
#include <string>

#include <dlfcn.h>

namespace snapgen {

// The library remains loaded until the process exits.
class SharedLibrary {
 public:
  // Loads the library. `name` is the name that the dynamic linker knows, such as libcurl.so.4.
  explicit SharedLibrary(const char* name) : handle_(::dlopen(name, RTLD_NOW | RTLD_LOCAL)) {}

  bool is_loaded() const { return handle_ != nullptr; }

  // Sets `out` to the library's function `name`; the type `Function` must match its declaration in the
  // library's header. If the library lacks the function, `out` is null and missing_function() returns its
  // name.
  template <class Function>
  void load_function(const char* name, Function& out) {
    void* const symbol = ::dlsym(handle_, name);
    if (symbol == nullptr) missing_function_ = name;
    out = std::bit_cast<Function>(symbol);
  }
  const std::string& missing_function() const { return missing_function_; }

 private:
  void* handle_;
  std::string missing_function_;
};

}  // namespace snapgen

#pragma once
// SharedLibrary: a library that is loaded when it is first needed, so that a start never pays for it.
#include <bit>
#include <string>

#include <dlfcn.h>

namespace snapgen {

// Stays loaded for the life of the process.
class SharedLibrary {
 public:
  // `name`: as the linker knows it, libcurl.so.4.
  explicit SharedLibrary(const char* name) : handle_(::dlopen(name, RTLD_NOW | RTLD_LOCAL)) {}

  bool is_loaded() const { return handle_ != nullptr; }

  // The function of this name, which has this type by the library's own header. Null where it has none; the
  // last such name is missing().
  template <class Function>
  void find(const char* name, Function& out) {
    void* const symbol = ::dlsym(handle_, name);
    if (symbol == nullptr) missing_ = name;
    out = std::bit_cast<Function>(symbol);
  }
  const std::string& missing() const { return missing_; }

 private:
  void* handle_;
  std::string missing_;
};

}  // namespace snapgen

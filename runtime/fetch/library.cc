#include "runtime/fetch/library.h"

#include <cstring>

#include <dlfcn.h>

namespace snapgen::fetch {

Library::Library() {
  // The ABI of libcurl.so.4 only grows; what a version lacks is named by find().
  void* const handle = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    problem = "libcurl.so.4 cannot be loaded; install the package libcurl4";
    return;
  }
  find(handle, "curl_global_init", global_init);
  find(handle, "curl_easy_init", easy_init);
  find(handle, "curl_easy_cleanup", easy_cleanup);
  find(handle, "curl_easy_setopt", easy_setopt);
  find(handle, "curl_easy_getinfo", easy_getinfo);
  find(handle, "curl_easy_header", easy_header);
  find(handle, "curl_easy_strerror", easy_strerror);
  find(handle, "curl_slist_append", slist_append);
  find(handle, "curl_slist_free_all", slist_free_all);
  find(handle, "curl_multi_init", multi_init);
  find(handle, "curl_multi_cleanup", multi_cleanup);
  find(handle, "curl_multi_setopt", multi_setopt);
  find(handle, "curl_multi_add_handle", multi_add_handle);
  find(handle, "curl_multi_remove_handle", multi_remove_handle);
  find(handle, "curl_multi_socket_action", multi_socket_action);
  find(handle, "curl_multi_info_read", multi_info_read);
  if (problem.empty() && global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) problem = "libcurl cannot be started";
}

template <class Function>
void Library::find(void* handle, const char* name, Function& out) {
  void* const symbol = dlsym(handle, name);
  if (symbol == nullptr) problem = std::string("libcurl is older than 7.88: it lacks ") + name;
  std::memcpy(&out, &symbol, sizeof out);
}

const Library& library() {
  static const Library loaded;
  return loaded;
}

}  // namespace snapgen::fetch

#pragma once
// libcurl, loaded on first use. So a server that calls no service loads neither libcurl nor the ten libraries
// that it needs. Only this folder includes this header.
#include <string>

#include <curl/curl.h>

namespace snapgen::fetch {

// Pointers to the functions of libcurl that this folder uses, with the types of its header.
struct CurlLibrary {
  decltype(&curl_global_init) global_init = nullptr;
  decltype(&curl_easy_init) easy_init = nullptr;
  decltype(&curl_easy_cleanup) easy_cleanup = nullptr;
  decltype(&curl_easy_setopt) easy_setopt = nullptr;
  decltype(&curl_easy_getinfo) easy_getinfo = nullptr;
  decltype(&curl_easy_header) easy_header = nullptr;
  decltype(&curl_easy_strerror) easy_strerror = nullptr;
  decltype(&curl_slist_append) slist_append = nullptr;
  decltype(&curl_slist_free_all) slist_free_all = nullptr;
  decltype(&curl_multi_init) multi_init = nullptr;
  decltype(&curl_multi_cleanup) multi_cleanup = nullptr;
  decltype(&curl_multi_setopt) multi_setopt = nullptr;
  decltype(&curl_multi_add_handle) multi_add_handle = nullptr;
  decltype(&curl_multi_remove_handle) multi_remove_handle = nullptr;
  decltype(&curl_multi_socket_action) multi_socket_action = nullptr;
  decltype(&curl_multi_info_read) multi_info_read = nullptr;
  std::string load_problem;  // Why libcurl is not usable; empty if it was loaded.

  CurlLibrary();
};

// Returns libcurl's functions. The first call loads the library, which remains loaded until the process ends.
const CurlLibrary& curl_library();

}  // namespace snapgen::fetch

#pragma once
// libcurl, loaded when first needed: a server that asks no service never pays for it and the ten libraries
// that come with it. For this folder alone.
#include <string>

#include <curl/curl.h>

namespace snapgen::fetch {

// What is used of libcurl, typed by its own header.
struct Library {
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
  std::string problem;  // Empty: loaded.

  Library();
};

// Loaded at the first use and kept for the life of the process.
const Library& library();

}  // namespace snapgen::fetch

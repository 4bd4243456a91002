#include "runtime/fetch/library.h"

#include "runtime/base/shared_library.h"

namespace snapgen::fetch {

CurlLibrary::CurlLibrary() {
  // Newer versions of libcurl.so.4 only add functions. If this one is too old, the error names a function
  // that it lacks.
  SharedLibrary curl("libcurl.so.4");
  if (!curl.is_loaded()) {
    load_problem = "libcurl.so.4 cannot be loaded; install the package libcurl4";
    return;
  }
  curl.load_function("curl_global_init", global_init);
  curl.load_function("curl_easy_init", easy_init);
  curl.load_function("curl_easy_cleanup", easy_cleanup);
  curl.load_function("curl_easy_setopt", easy_setopt);
  curl.load_function("curl_easy_getinfo", easy_getinfo);
  curl.load_function("curl_easy_header", easy_header);
  curl.load_function("curl_easy_strerror", easy_strerror);
  curl.load_function("curl_slist_append", slist_append);
  curl.load_function("curl_slist_free_all", slist_free_all);
  curl.load_function("curl_multi_init", multi_init);
  curl.load_function("curl_multi_cleanup", multi_cleanup);
  curl.load_function("curl_multi_setopt", multi_setopt);
  curl.load_function("curl_multi_add_handle", multi_add_handle);
  curl.load_function("curl_multi_remove_handle", multi_remove_handle);
  curl.load_function("curl_multi_socket_action", multi_socket_action);
  curl.load_function("curl_multi_info_read", multi_info_read);
  if (!curl.missing_function().empty())
    load_problem =
        "libcurl is older than 7.88: it lacks " + curl.missing_function() + "; install a newer one";
  else if (global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
    load_problem = "libcurl cannot be started; restart the server";
}

const CurlLibrary& curl_library() {
  static const CurlLibrary loaded;
  return loaded;
}

}  // namespace snapgen::fetch

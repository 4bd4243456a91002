#pragma once
// Transfers: single HTTP requests over libcurl, driven by the loop.
//
// libcurl says which sockets it waits for and until when. The sockets are kept in an epoll set of our own,
// whose descriptor the port watches: so the port knows of one descriptor to read from, whatever libcurl does.
// No task runs in the background: of the coroutines that wait for an answer one drives all of them, and hands
// that on when it has its own.
//
// libcurl itself is loaded by the first request. Redirects are not followed, answers are not decompressed,
// nothing of ~/.netrc, cookies or (unless it is asked for) proxies is looked at.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "runtime/async/loop.h"
#include "runtime/base/result.h"
#include "runtime/fetch/route.h"

namespace snapgen::fetch {

struct Request {
  Method method = Method::get;
  std::string url;                   // http or https.
  std::vector<std::string> headers;  // "Name: value"
  std::string body;                  // Of a post.
  Millis timeout{30'000};            // From the first step to the last byte.
  Millis connect_timeout{5'000};     // Until the connection stands, with TLS.
  std::size_t body_bytes_max = 1 << 20;
  bool repeatable = false;              // A connection that was kept, and broke, may have taken it already.
  bool proxy_from_environment = false;  // https_proxy and its kin.
  std::string ca_file;                  // Whom to trust; empty: whom the system trusts.
};

// Why there is no answer.
enum class Fault : std::uint8_t {
  none,
  unreachable,  // Nothing was sent: no such host, nobody listens, no time left to connect.
  untrusted,    // TLS failed.
  timed_out,
  broken,  // The connection ended too early, or what came was not HTTP.
  too_large,
};

struct Response {
  Fault fault = Fault::none;
  std::string cause;  // Of a fault, in libcurl's words.
  int status = 0;
  std::string body;
  std::string content_type;           // As it came.
  bool encoded = false;               // By a Content-Encoding, which nobody asked for.
  std::optional<Millis> retry_after;  // Retry-After, from now on.
};

class Transfers {
 public:
  explicit Transfers(Loop& loop);
  Transfers(Transfers&&) = delete;
  // After all that ran.
  ~Transfers();

  // Errors: cancelled; unavailable (no libcurl, a port that waits for no descriptors).
  Task<Response> run(const Request& request, std::stop_token stop);

 private:
  struct State;
  class Transfer;
  class Turn;

  Loop& loop_;
  std::unique_ptr<State> state_;  // Made by the first request.
};

}  // namespace snapgen::fetch

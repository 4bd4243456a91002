#pragma once
// Transfers: single HTTP requests over libcurl, driven by the loop.
//
// libcurl reports which sockets it waits for and until when. Transfers adds the sockets to an epoll set,
// whose descriptor the port watches. So the port watches one descriptor for reading, whatever libcurl does.
// There is no background task: one of the coroutines that wait for a response drives all transfers, and
// passes that job on when its own response is complete.
//
// The first request starts libcurl. Redirects are not followed and responses are not decompressed. ~/.netrc
// and cookies are not used, and proxies only on request.
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
  std::string url;                   // With the scheme http or https.
  std::vector<std::string> headers;  // Each is "Name: value".
  std::string body;                  // Sent with POST.
  Millis timeout{30'000};            // Limit for the whole transfer.
  Millis connect_timeout{5'000};     // Limit for connecting, including TLS.
  std::size_t body_bytes_max = 1 << 20;
  bool repeatable = false;              // libcurl may send it again if a reused connection breaks.
  bool proxy_from_environment = false;  // Whether https_proxy and similar variables are used.
  std::string ca_file;                  // File of trusted certificates; empty: the system's.
};

// The reason why there is no response.
enum class TransferFault : std::uint8_t {
  none,
  unreachable,  // Nothing was sent: unknown host, refused, or connecting timed out.
  untrusted,    // TLS failed, such as an unknown certificate.
  timed_out,
  broken,  // The connection ended too early, or the peer did not send HTTP.
  too_large,
};

struct Response {
  TransferFault fault = TransferFault::none;
  std::string cause;  // libcurl's description of the fault.
  int status = 0;
  std::string body;
  std::string content_type;           // The field's value as received.
  bool is_encoded = false;            // The body has a Content-Encoding, which was not asked for.
  std::optional<Millis> retry_after;  // From the field Retry-After, relative to now.
};

class Transfers {
 public:
  explicit Transfers(Loop& loop);
  Transfers(Transfers&&) = delete;
  // All tasks of run() must have ended before the destructor is called.
  ~Transfers();

  // Sends a request and returns the response, or its fault. Errors: cancelled; unavailable (libcurl cannot be
  // started, or the port cannot watch descriptors).
  Task<Response> run(const Request& request, std::stop_token stop);

 private:
  struct State;
  class Transfer;
  class DriverWait;

  Loop& loop_;
  std::unique_ptr<State> state_;  // Created by the first request.
};

}  // namespace snapgen::fetch

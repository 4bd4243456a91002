#pragma once
// Guard: who may talk to the server at all. A web page that a user opens can send requests to servers on the
// user's machine, also under a name of its own that it lets point there (DNS rebinding); so names are checked
// before anything is read.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/http/head.h"
#include "runtime/http/server.h"

namespace snapgen::streamable {

struct Access {
  // Whether only this machine can reach the server. Then Host must be localhost, 127.0.0.1 or [::1].
  bool loopback = true;
  // `Authorization: Bearer` must have it; empty: nothing is asked for.
  std::string token;
  // Origins (as parse_origin() gives them) that may ask besides those of this machine.
  std::vector<std::string> origins;
};

std::optional<http::Denial> denied(const http::Head& head, const Access& access);

// localhost, 127.0.0.1 or [::1], alone or with a port.
bool is_local_authority(std::string_view authority);

}  // namespace snapgen::streamable

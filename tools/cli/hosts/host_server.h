#pragma once
// An entry for a server in a host's file: as it was read, and as ours is written.
#include <string>
#include <vector>

namespace snapgen::tools {

struct HostServer {
  std::string name;
  std::string command;  // Empty: the host reaches the server by a URL.
  std::vector<std::string> args;
  std::vector<std::string> environment;  // NAME=value
  bool is_disabled = false;
  // Tools that the host calls without asking; `*` for all.
  std::vector<std::string> approved;
};

struct OurEntry {
  std::string command;  // Absolute.
  std::vector<std::string> args;
};

}  // namespace snapgen::tools

#pragma once
// A server's entry in a host's file, as read, and as written for this program.
#include <string>
#include <vector>

namespace snapgen::tools {

struct HostServer {
  std::string name;
  std::string command;  // Empty: the server has a URL.
  std::vector<std::string> args;
  std::vector<std::string> environment;  // NAME=value
  bool is_disabled = false;
  // Tools that the host calls without asking; `*` for all.
  std::vector<std::string> approved;
};

struct OurEntry {
  std::string command;  // Absolute path.
  std::vector<std::string> args;
};

}  // namespace snapgen::tools

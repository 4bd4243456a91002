#pragma once
// The entry of a server in a host's file: as it is read, and as it is written for this program.
#include <string>
#include <vector>

namespace snapgen::tools {

struct HostServer {
  std::string name;
  std::string command;  // The program; empty if the server has a URL.
  std::vector<std::string> args;
  std::vector<std::string> environment;  // Variables of its environment, each NAME=value.
  bool is_disabled = false;
  // Tools that the host calls without asking; `*` means all.
  std::vector<std::string> approved_tools;
};

struct OurEntry {
  std::string command;  // The absolute path of the program.
  std::vector<std::string> args;
};

}  // namespace snapgen::tools

#include "tools/cli/hosts/own_program.h"

#include <array>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace snapgen::tools {

bool is_same_file(const std::string& a, const std::string& b) {
  std::error_code error;
  return std::filesystem::equivalent(a, b, error) && !error;
}

std::string own_program_path() {
  std::error_code error;
  std::string real = std::filesystem::read_symlink("/proc/self/exe", error).string();
  if (error) return {};
  const std::string folder = real.substr(0, real.rfind('/') + 1);
  for (const std::string_view name : {"snap", "snapback"}) {
    std::string named = folder + std::string(name);
    if (is_same_file(named, real)) return named;
  }
  return real;
}

}  // namespace snapgen::tools

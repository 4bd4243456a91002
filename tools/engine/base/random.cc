#include "tools/engine/base/random.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include <sys/random.h>

#include "runtime/base/ascii.h"

namespace snapgen::core {

std::string random_name(std::size_t count) {
  std::string name(count, '\0');
  std::size_t got = 0;
  while (got < count) {
    ssize_t n = ::getrandom(name.data() + got, count - got, 0);
    if (n < 0 && errno != EINTR) std::abort();  // getrandom() exists since Linux 3.17 and cannot fail here.
    if (n > 0) got += static_cast<std::size_t>(n);
  }
  for (char& c : name) c = name_letters[static_cast<unsigned char>(c) & 31];
  return name;
}

bool is_random_name(std::string_view text, std::string_view prefix, std::size_t count) {
  if (!text.starts_with(prefix) || text.size() != prefix.size() + count) return false;
  return std::ranges::all_of(text.substr(prefix.size()),
                             [](char c) { return is_lower(c) || (c >= '2' && c <= '7'); });
}

}  // namespace snapgen::core

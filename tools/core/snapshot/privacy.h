#pragma once
// Privacy: what of the captured was kept from others, so that a restore does not open what it makes anew to
// more people than could read it. No part of a snapshot's id, where of all permissions only a file's
// executable bit counts, as with git.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace snapgen::core {

// Paths of files and of the folders above them, sorted; "" alone: of all.
struct Privacy {
  std::vector<std::string> from_group;   // Nor can others do anything with them.
  std::vector<std::string> from_others;  // The group can.

  // The permissions that something made anew at `path` may have at the most.
  std::uint32_t allowed(std::string_view path) const;

  bool operator==(const Privacy&) const = default;
};

// Finds it out, path by path.
class PrivacySurvey {
 public:
  // `mode` as lstat() says. A path is looked at once.
  void look(std::string_view path, std::uint32_t mode);
  // Where there are very many, all are taken for such: rather too closed than open.
  Privacy finish();

 private:
  Privacy found_;
  std::size_t looked_at_ = 0;
};

}  // namespace snapgen::core

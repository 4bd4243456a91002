#include "tools/engine/patch/names_in_patch.h"

#include <array>
#include <unordered_set>

#include "tools/engine/base/plain_text.h"
#include "tools/engine/patch/parse.h"

namespace snapgen::core {
namespace {

// The lines of a patch that begins with `*** Begin Patch` which name a file.
constexpr std::array<std::string_view, 4> name_lines = {
    "*** Add File: ", "*** Delete File: ", "*** Move to: ", "*** Update File: "};

}  // namespace

std::vector<std::string> names_in_patch(std::string_view text) {
  std::vector<std::string> names;
  std::unordered_set<std::string> known;
  auto add = [&](std::string_view name) {
    if (!name.empty() && known.emplace(name).second) names.emplace_back(name);
  };
  const Patch patch = parse_patch(text);
  for (const FilePatch& file : patch.files) {
    add(file.old_path);
    add(file.new_path);
  }
  for (const Reject& reject : patch.rejects) add(reject.path);
  std::string_view line;
  for (std::string_view rest = text; next_line(rest, line);) {
    for (const std::string_view begin : name_lines)
      if (line.starts_with(begin)) add(trimmed(line.substr(begin.size())));
  }
  return names;
}

}  // namespace snapgen::core

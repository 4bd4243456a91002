#include "tools/core/search/globs.h"

#include <algorithm>

#include "tools/core/git/wildmatch.h"
#include "tools/core/path/path.h"

namespace snapgen::core {

Result<Globs> Globs::of(const std::vector<std::string>& globs) {
  Globs out;
  for (std::string_view glob : globs) {
    Rule rule;
    rule.leaves_out = glob.starts_with('!');
    if (rule.leaves_out) glob.remove_prefix(1);
    rule.whole_path = glob.find('/') != std::string_view::npos;
    if (glob.starts_with("./")) glob.remove_prefix(2);
    if (glob.starts_with('/')) glob.remove_prefix(1);
    if (glob.empty()) return Error(ErrorCode::invalid_argument, "A glob is empty.");
    rule.pattern = glob;
    if (glob.ends_with('/')) rule.pattern += "**";  // A folder: all that is in it.
    out.rules_.push_back(std::move(rule));
  }
  out.otherwise_ =
      std::all_of(out.rules_.begin(), out.rules_.end(), [](const Rule& rule) { return rule.leaves_out; });
  return out;
}

bool Globs::select(std::string_view path) const {
  for (auto rule = rules_.rbegin(); rule != rules_.rend(); ++rule) {
    if (git::wildmatch(rule->pattern, rule->whole_path ? path : base_name(path), git::Wild::path))
      return !rule->leaves_out;
  }
  return otherwise_;
}

}  // namespace snapgen::core

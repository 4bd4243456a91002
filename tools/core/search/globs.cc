#include "tools/core/search/globs.h"

#include <algorithm>

#include "tools/core/git/wildmatch.h"
#include "tools/core/path/path.h"

namespace snapgen::core {
namespace {

// Where the bracket that begins before `at` ends: behind its `]`; npos: nowhere.
std::size_t end_of_bracket(std::string_view glob, std::size_t at) {
  if (at < glob.size() && (glob[at] == '!' || glob[at] == '^')) ++at;
  for (const std::size_t first = at; at < glob.size(); ++at) {
    if (glob[at] == ']' && at > first) return at + 1;
    if (glob[at] == '\\') ++at;
    if (glob.substr(std::min(at, glob.size())).starts_with("[:")) {
      const std::size_t close = glob.find(":]", at + 2);
      if (close != std::string_view::npos) at = close + 1;
    }
  }
  return std::string_view::npos;
}

// Whether it can fit something at all.
bool is_whole(std::string_view glob) {
  for (std::size_t at = 0; at < glob.size();) {
    if (glob[at] == '\\' && at + 1 == glob.size()) return false;
    if (glob[at] == '[') {
      at = end_of_bracket(glob, at + 1);
      if (at == std::string_view::npos) return false;
    } else {
      at += glob[at] == '\\' ? 2 : 1;
    }
  }
  return true;
}

}  // namespace

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
    if (!is_whole(glob))
      return Error(ErrorCode::invalid_argument,
                   "The glob " + path_in_sentence(glob) + " ends inside a bracket or behind a backslash.");
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

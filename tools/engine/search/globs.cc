#include "tools/engine/search/globs.h"

#include <algorithm>

#include "tools/engine/files/path.h"
#include "tools/engine/git/repository/wildmatch.h"

namespace snapgen::core {
namespace {

constexpr std::size_t alternatives_max = 256;  // Maximum for all globs together.

// The offset after the `]` of the bracket that begins before `at`, or npos if it is not closed.
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

// The offset after the character, escape or bracket at `at`, or npos if it is not complete.
std::size_t after(std::string_view glob, std::size_t at) {
  if (glob[at] == '[') return end_of_bracket(glob, at + 1);
  if (glob[at] != '\\') return at + 1;
  return at + 1 < glob.size() ? at + 2 : std::string_view::npos;
}

// Whether every `[` is closed and no `\` is last. Otherwise the glob matches nothing.
bool is_whole(std::string_view glob) {
  std::size_t at = 0;
  while (at < glob.size()) at = after(glob, at);
  return at != std::string_view::npos;
}

// Expands the braces of a glob.
class Alternatives {
 public:
  // `room`: the maximum number of alternatives.
  Alternatives(std::vector<std::string>& out, std::size_t room) : out_(out), room_(room) {}

  // Adds the alternatives of a glob. Returns false if a brace is not closed, or if there are too many
  // alternatives.
  bool add(const std::string& glob) {
    if (glob.size() > bytes_) return false;
    bytes_ -= glob.size();
    std::size_t open = 0;
    while (open < glob.size() && glob[open] != '{') open = after(glob, open);
    if (open == glob.size()) {
      out_.push_back(glob);
      return out_.size() <= room_;
    }
    std::vector<std::string> choices;
    const std::size_t close = choices_in(glob, open, choices);
    if (close == std::string::npos) return false;
    return std::all_of(choices.begin(), choices.end(), [&](const std::string& choice) {
      return add(glob.substr(0, open) + choice + glob.substr(close + 1));
    });
  }

 private:
  // Returns the offset of the closing brace for `open`, or npos.
  static std::size_t choices_in(std::string_view glob, std::size_t open, std::vector<std::string>& choices) {
    int inner = 0;
    std::size_t from = open + 1;
    for (std::size_t at = from; at < glob.size(); at = after(glob, at)) {
      const bool ends = inner == 0 && glob[at] == '}';
      if (ends || (inner == 0 && glob[at] == ',')) {
        choices.emplace_back(glob.substr(from, at - from));
        from = at + 1;
      }
      if (ends) return at;
      inner += glob[at] == '{' ? 1 : glob[at] == '}' ? -1 : 0;
    }
    return std::string_view::npos;
  }

  std::vector<std::string>& out_;
  std::size_t room_;
  std::size_t bytes_ = 1 << 20;  // Limits the work for nested braces, which can cost much and match little.
};

Error unfinished_glob_error(std::string_view glob) {
  return {ErrorCode::invalid_argument,
          "The glob " + path_in_sentence(glob) +
              " ends inside a bracket or a brace or after a backslash, or expands to more than " +
              std::to_string(alternatives_max) + " patterns."};
}

}  // namespace

Result<Globs::Rule> Globs::rule_of(std::string_view glob, bool excludes) {
  Rule rule;
  rule.excludes = excludes;
  rule.whole_path = glob.find('/') != std::string_view::npos;
  if (glob.starts_with("./")) glob.remove_prefix(2);
  if (glob.starts_with('/')) glob.remove_prefix(1);
  if (glob.empty())
    return Error(ErrorCode::invalid_argument, "A glob is empty. Omit it, or pass ** for every path.");
  rule.pattern = glob;
  if (glob.ends_with('/')) {
    rule.pattern += "**";  // Everything in the folder.
  } else if (base_name(glob).find_first_of("*?[") == std::string_view::npos) {
    rule.folder = (rule.whole_path ? "" : "**/") + rule.pattern + "/**";
  }
  return rule;
}

Result<Globs> Globs::parse(const std::vector<std::string>& globs) {
  Globs out;
  std::size_t more = alternatives_max;
  for (std::string_view glob : globs) {
    const bool excludes = glob.starts_with('!');
    if (excludes) glob.remove_prefix(1);
    std::vector<std::string> alternatives;
    if (!is_whole(glob) || !Alternatives(alternatives, more + 1).add(std::string(glob)))
      return unfinished_glob_error(glob);
    more -= alternatives.size() - 1;
    for (const std::string& each : alternatives) {
      Rule rule = TRY(rule_of(each, excludes));
      out.rules_.push_back(std::move(rule));
    }
  }
  out.selects_by_default_ =
      std::all_of(out.rules_.begin(), out.rules_.end(), [](const Rule& rule) { return rule.excludes; });
  return out;
}

bool Globs::Rule::fits(std::string_view path) const {
  return git::wildmatch(pattern, whole_path ? path : base_name(path), git::WildmatchMode::path) ||
         (!folder.empty() && git::wildmatch(folder, path, git::WildmatchMode::path));
}

bool Globs::selects(std::string_view path) const {
  for (auto rule = rules_.rbegin(); rule != rules_.rend(); ++rule) {
    if (rule->fits(path)) return !rule->excludes;
  }
  return selects_by_default_;
}

}  // namespace snapgen::core

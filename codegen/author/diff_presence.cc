#include "codegen/author/diff_presence.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "codegen/front/schema.h"
#include "runtime/base/text.h"
#include "runtime/json/writer.h"

namespace snapgen::codegen {
namespace {

using json::Node;

constexpr std::array<std::string_view, 2> rule_keywords = {"oneOf", "anyOf"};
constexpr std::size_t compared_names_max = 10;  // All sets of names are tested.
constexpr std::size_t shown_cases_max = 3;

const Node* rule_at(const Node& schema, std::string_view keyword) {
  const Node* rule = schema.find(keyword);
  return rule && only_require(*rule) ? rule : nullptr;
}

std::string rule_keyword_of(const Node& schema) {
  for (const std::string_view keyword : rule_keywords)
    if (rule_at(schema, keyword)) return std::string(keyword);
  return schema.find("required") ? "required" : "";
}

// A set of names; bit i is that of the name with index i.
using MemberSet = std::uint32_t;

// The members that a schema requires, and those that it allows.
class PresenceRules {
 public:
  PresenceRules(const Node& schema, const std::vector<std::string>& names) : required_(bits(schema, names)) {
    const Node* additional = schema.find("additionalProperties");
    const Node* properties = schema.find("properties");
    const bool is_closed = additional && additional->is(json::Kind::boolean) && !additional->boolean;
    for (std::size_t i = 0; i < names.size(); ++i)
      if (!is_closed || (properties && properties->find(names[i]))) allowed_ |= MemberSet{1} << i;
    for (const std::string_view keyword : rule_keywords) {
      const Node* rule = rule_at(schema, keyword);
      if (!rule) continue;
      rules_.push_back({.only_one = keyword == "oneOf"});
      for (const Node& each : rule->items) rules_.back().alternatives.push_back(bits(each, names));
    }
  }

  // Whether the object is accepted without members that the schema does not have. Those are changes of
  // members.
  bool accepts(MemberSet present) const {
    present &= allowed_;
    if ((present & required_) != required_) return false;
    return std::ranges::all_of(rules_, [&](const Rule& rule) {
      const auto fits = [&](MemberSet each) { return (present & each) == each; };
      const auto count = std::ranges::count_if(rule.alternatives, fits);
      return rule.only_one ? count == 1 : count > 0;
    });
  }
  MemberSet allowed() const { return allowed_; }

 private:
  struct Rule {
    bool only_one = false;
    std::vector<MemberSet> alternatives;
  };

  static MemberSet bits(const Node& schema, const std::vector<std::string>& names) {
    MemberSet found = 0;
    for (const std::string& each : required_names(schema))
      found |= MemberSet{1} << (std::ranges::find(names, each) - names.begin());
    return found;
  }

  MemberSet required_ = 0, allowed_ = 0;
  std::vector<Rule> rules_;
};

// Objects that have some members and do not have some others.
struct MemberCase {
  MemberSet with = 0, without = 0;
  bool covers(MemberSet present) const { return (present & with) == with && (present & without) == 0; }
};

class PresenceComparer {
 public:
  explicit PresenceComparer(std::vector<std::string> names) : names_(std::move(names)) {}

  // Describes the objects that `now` accepts and `then` does not; empty if there are none.
  std::string accepted_only_by(const PresenceRules& now, const PresenceRules& then) const {
    const MemberSet all = (MemberSet{1} << names_.size()) - 1;
    std::vector<MemberCase> cases;
    for (std::size_t size = 0; size <= names_.size(); ++size)
      for (MemberSet present = 0; present <= all; ++present) {
        if (static_cast<std::size_t>(std::popcount(present)) != size) continue;
        if ((present & ~now.allowed()) != 0 || !now.accepts(present) || then.accepts(present)) continue;
        if (std::ranges::any_of(cases, [&](const MemberCase& each) { return each.covers(present); }))
          continue;
        cases.push_back(widest(present, all, then));
      }
    std::string text;
    for (std::size_t i = 0; i < cases.size() && i < shown_cases_max; ++i)
      text += (i == 0 ? "" : ", or ") + in_words(cases[i]);
    return cases.size() > shown_cases_max ? text + ", or others" : text;
  }

 private:
  // Returns the case of `present` with as few absent members as possible, of which `then` still rejects all
  // objects.
  MemberCase widest(MemberSet present, MemberSet all, const PresenceRules& then) const {
    MemberCase found{.with = present, .without = all & ~present};
    for (std::size_t i = 0; i < names_.size(); ++i) {
      MemberCase wider = found;
      wider.without &= ~(MemberSet{1} << i);
      bool rejected = true;
      for (MemberSet each = 0; each <= all; ++each)
        rejected = rejected && !(wider.covers(each) && then.accepts(each));
      if (rejected) found = wider;
    }
    return found;
  }

  std::string in_words(const MemberCase& found) const {
    const std::string with = list(found.with, "and"), without = list(found.without, "or");
    if (with.empty()) return without.empty() ? "with any members" : "without " + without;
    return "with " + with + (without.empty() ? "" : " but without " + without);
  }

  std::string list(MemberSet members, std::string_view last) const {
    std::vector<std::string> quoted;
    for (std::size_t i = 0; i < names_.size(); ++i)
      if (members & (MemberSet{1} << i)) quoted.push_back(json::quoted(names_[i]));
    return enumerated(quoted, last);
  }

  std::vector<std::string> names_;
};

void add_names(const Node& schema, std::set<std::string>& names) {
  names.merge(required_names(schema));
  for (const std::string_view keyword : rule_keywords)
    if (const Node* rule = rule_at(schema, keyword))
      for (const Node& each : rule->items) names.merge(required_names(each));
}

}  // namespace

std::set<std::string> required_names(const Node& schema) {
  std::set<std::string> found;
  if (const Node* list = schema.find("required"))
    for (const Node& each : list->items) found.insert(each.text);
  return found;
}

bool has_presence_rule(const Node& schema) {
  return std::ranges::any_of(rule_keywords,
                             [&](std::string_view keyword) { return rule_at(schema, keyword) != nullptr; });
}

std::vector<PresenceChange> compare_presence(const Node& before, const Node& after) {
  std::set<std::string> mentioned;
  add_names(before, mentioned);
  add_names(after, mentioned);
  std::string keyword = rule_keyword_of(after);
  if (keyword.empty()) keyword = rule_keyword_of(before);
  if (mentioned.size() > compared_names_max) {
    std::string sentence = "may need other members together now";
    return {{.narrower = true, .keyword = keyword, .sentence = sentence},
            {.narrower = false, .keyword = keyword, .sentence = std::move(sentence)}};
  }
  const std::vector<std::string> names(mentioned.begin(), mentioned.end());
  const PresenceRules old_ones(before, names), new_ones(after, names);
  const PresenceComparer comparer(names);
  std::vector<PresenceChange> changes;
  if (const std::string lost = comparer.accepted_only_by(old_ones, new_ones); !lost.empty())
    changes.push_back({.narrower = true, .keyword = keyword, .sentence = lost + " are rejected now"});
  if (const std::string gained = comparer.accepted_only_by(new_ones, old_ones); !gained.empty())
    changes.push_back({.narrower = false, .keyword = keyword, .sentence = gained + " are accepted now"});
  return changes;
}

}  // namespace snapgen::codegen

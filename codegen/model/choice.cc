#include "codegen/model/choice.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace snapgen::codegen {
namespace {

using Indexes = std::vector<std::size_t>;

template <class Fact>
bool every(const Schema& schema, Fact fact) {
  const Schema& s = resolved(schema);
  if (s.alternatives.empty()) return fact(s);
  return std::ranges::all_of(s.alternatives, [&](const Schema* each) { return every(*each, fact); });
}

// Returns the constants that a required member may have; empty if it may have other values or be absent.
std::vector<Constant> tag_values(const Schema& schema, const std::string& key) {
  std::vector<Constant> found;
  bool tagged = every(schema, [&](const Schema& s) {
    const Property* member = find_property(s, key);
    if (!member || !member->required) return false;
    const Schema& value = resolved(*member->schema);
    if (!value.values) return false;
    found.insert(found.end(), value.values->begin(), value.values->end());
    return true;
  });
  return tagged ? found : std::vector<Constant>();
}

bool overlap(const std::vector<Constant>& a, const std::vector<Constant>& b) {
  return std::ranges::any_of(a, [&](const Constant& each) { return std::ranges::find(b, each) != b.end(); });
}

// Puts alternatives that cannot be distinguished into one group.
std::vector<Indexes> groups(const Indexes& set, const std::function<bool(std::size_t, std::size_t)>& alike) {
  std::vector<Indexes> found;
  for (std::size_t each : set) {
    Indexes together = {each};
    std::vector<Indexes> rest;
    for (Indexes& group : found) {
      bool joined = std::ranges::any_of(group, [&](std::size_t other) { return alike(each, other); });
      if (joined)
        together.insert(together.end(), group.begin(), group.end());
      else
        rest.push_back(std::move(group));
    }
    std::ranges::sort(together);
    rest.push_back(std::move(together));
    found = std::move(rest);
  }
  std::ranges::sort(found);
  return found;
}

class DiscriminatorFinder {
 public:
  explicit DiscriminatorFinder(const std::vector<const Schema*>& all) : all_(all) {
    found_.suffixes.resize(all.size());
  }

  FoundDiscriminator run() {
    Indexes set;
    for (std::size_t i = 0; i < all_.size(); ++i) set.push_back(i);
    found_.choice = distinguish(set);
    return std::move(found_);
  }

 private:
  std::unique_ptr<DecisionTree> distinguish(const Indexes& set) {
    if (set.size() == 1) {
      auto decided = std::make_unique<DecisionTree>();
      decided->alternative = set[0];
      return decided;
    }
    if (auto found = by_kind(set)) return found;
    bool objects =
        std::ranges::all_of(set, [&](std::size_t i) { return kinds_of(*all_[i]) == kinds::object; });
    if (objects) {
      if (auto found = by_tag(set)) return found;
      if (auto found = by_presence(set)) return found;
    }
    if (found_.second == 0) found_.first = set[0], found_.second = set[1];
    return nullptr;
  }

  std::unique_ptr<DecisionTree> by_kind(const Indexes& set) {
    auto alike = [&](std::size_t a, std::size_t b) { return (kinds_of(*all_[a]) & kinds_of(*all_[b])) != 0; };
    std::vector<Indexes> found = groups(set, alike);
    if (found.size() < 2) return nullptr;
    auto choice = std::make_unique<DecisionTree>();
    choice->decided_by = DecisionTree::By::kind;
    for (const Indexes& group : found) {
      DecisionTree::Case one;
      for (std::size_t each : group) one.kinds = static_cast<Kinds>(one.kinds | kinds_of(*all_[each]));
      for (std::size_t each : group) found_.suffixes[each] = word_for(one.kinds);
      one.next = distinguish(group);
      if (!one.next) return nullptr;
      choice->cases.push_back(std::move(one));
    }
    return choice;
  }

  static std::string word_for(Kinds set) {
    if (set & kinds::object) return "object";
    if (set & kinds::array) return "array";
    if (set & kinds::string) return "string";
    if (set & kinds::fraction) return "number";
    if (set & kinds::integer) return "integer";
    return set & kinds::boolean ? "boolean" : "null";
  }

  std::unique_ptr<DecisionTree> by_tag(const Indexes& set) {
    std::string best;
    std::vector<Indexes> best_groups;
    for (const std::string& key : keys(set)) {
      std::vector<Indexes> found = tag_groups(set, key);
      if (found.size() > std::max<std::size_t>(best_groups.size(), 1)) {
        best = key;
        best_groups = std::move(found);
      }
    }
    if (best_groups.empty()) return nullptr;
    auto choice = std::make_unique<DecisionTree>();
    choice->decided_by = DecisionTree::By::tag;
    choice->key = best;
    for (const Indexes& group : best_groups) {
      DecisionTree::Case one;
      for (std::size_t each : group) {
        std::vector<Constant> values = tag_values(*all_[each], best);
        found_.suffixes[each] = values.empty()                         ? own_member(each)
                                : values[0].kind == json::Kind::string ? values[0].string
                                                                       : values[0].canonical;
        for (const Constant& value : values)
          if (std::ranges::find(one.values, value) == one.values.end()) one.values.push_back(value);
      }
      one.next = distinguish(group);
      if (!one.next) return nullptr;
      choice->cases.push_back(std::move(one));
    }
    return choice;
  }

  // Groups the alternatives by the constants of a member. Empty if some alternative neither requires the
  // member with a constant nor forbids it.
  std::vector<Indexes> tag_groups(const Indexes& set, const std::string& key) const {
    for (std::size_t each : set)
      if (tag_values(*all_[each], key).empty() && !forbids_member(*all_[each], key)) return {};
    auto alike = [&](std::size_t a, std::size_t b) {
      std::vector<Constant> of_a = tag_values(*all_[a], key);
      std::vector<Constant> of_b = tag_values(*all_[b], key);
      return (of_a.empty() && of_b.empty()) || overlap(of_a, of_b);
    };
    return groups(set, alike);
  }

  std::unique_ptr<DecisionTree> by_presence(const Indexes& set) {
    for (const std::string& key : keys(set)) {
      Indexes with, without;
      for (std::size_t each : set) {
        if (requires_member(*all_[each], key))
          with.push_back(each);
        else if (forbids_member(*all_[each], key))
          without.push_back(each);
      }
      if (with.empty() || without.empty() || with.size() + without.size() != set.size()) continue;
      for (std::size_t each : with) found_.suffixes[each] = key;
      for (std::size_t each : without) found_.suffixes[each] = own_member(each);
      auto choice = std::make_unique<DecisionTree>();
      choice->decided_by = DecisionTree::By::presence;
      choice->key = key;
      DecisionTree::Case present, absent;
      present.present = true;
      present.next = distinguish(with);
      absent.next = distinguish(without);
      if (!present.next || !absent.next) return nullptr;
      choice->cases.push_back(std::move(present));
      choice->cases.push_back(std::move(absent));
      return choice;
    }
    return nullptr;
  }

  // Returns a member that only this alternative requires, or else the alternative's number.
  std::string own_member(std::size_t index) const {
    for (const Property& each : resolved(*all_[index]).properties) {
      bool others = false;
      for (std::size_t i = 0; i < all_.size(); ++i)
        others = others || (i != index && find_property(resolved(*all_[i]), each.name) != nullptr);
      if (each.required && !others) return each.name;
    }
    return std::to_string(index + 1);
  }

  // Returns every member that an alternative requires, in schema order.
  std::vector<std::string> keys(const Indexes& set) const {
    std::vector<std::string> found;
    std::function<void(const Schema&)> collect = [&](const Schema& schema) {
      const Schema& s = resolved(schema);
      for (const Property& each : s.properties)
        if (each.required && std::ranges::find(found, each.name) == found.end()) found.push_back(each.name);
      for (const Schema* each : s.alternatives) collect(*each);
    };
    for (std::size_t each : set) collect(*all_[each]);
    return found;
  }

  const std::vector<const Schema*>& all_;
  FoundDiscriminator found_;
};

}  // namespace

Kinds kinds_of(const Schema& schema) {
  const Schema& s = resolved(schema);
  if (s.alternatives.empty()) return s.kinds;
  Kinds all = 0;
  for (const Schema* each : s.alternatives) all = static_cast<Kinds>(all | kinds_of(*each));
  return all;
}

bool requires_member(const Schema& schema, const std::string& key) {
  return every(schema, [&](const Schema& s) {
    const Property* member = find_property(s, key);
    bool listed = std::ranges::find(s.required, key) != s.required.end();
    return listed || (member && member->required);
  });
}

bool forbids_member(const Schema& schema, const std::string& key) {
  return every(schema, [&](const Schema& s) {
    const Property* member = find_property(s, key);
    return member ? resolved(*member->schema).never : s.additional == Additional::closed;
  });
}

FoundDiscriminator find_discriminator(const std::vector<const Schema*>& alternatives) {
  return DiscriminatorFinder(alternatives).run();
}

}  // namespace snapgen::codegen

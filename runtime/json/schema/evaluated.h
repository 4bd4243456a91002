#pragma once
// The items or members that a schema has evaluated. The evaluator needs them for unevaluatedItems and
// unevaluatedProperties.
#include <cstddef>
#include <cstdint>
#include <vector>

namespace snapgen::json {

// A set of indexes, without allocation if they are below 64.
class IndexSet {
 public:
  void set(std::size_t index) {
    if (index < 64) {
      low_ |= std::uint64_t{1} << index;
      return;
    }
    if (more_.size() <= index - 64) more_.resize(index - 63);
    more_[index - 64] = true;
  }
  bool has(std::size_t index) const {
    if (index < 64) return (low_ >> index & 1) != 0;
    return index - 64 < more_.size() && more_[index - 64];
  }
  void add(const IndexSet& other) {
    low_ |= other.low_;
    if (more_.size() < other.more_.size()) more_.resize(other.more_.size());
    for (std::size_t i = 0; i < other.more_.size(); ++i) {
      if (other.more_[i]) more_[i] = true;
    }
  }

 private:
  std::uint64_t low_ = 0;
  std::vector<bool> more_;
};

// The evaluated items or members of one value, by their index in the text.
struct EvaluatedSet {
  bool has_all = false;
  IndexSet indexes;

  bool has(std::size_t index) const { return has_all || indexes.has(index); }
  void add(const EvaluatedSet& other) {
    has_all = has_all || other.has_all;
    if (!has_all) indexes.add(other.indexes);
  }
};

}  // namespace snapgen::json

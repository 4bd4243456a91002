#pragma once
// Tree: one JSON text as a flat array of values, for random access by the schema evaluator. Parsing another
// text reuses its memory. It has views of the text, which must outlive it.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/json/document.h"
#include "runtime/json/reader.h"

namespace snapgen::json {

class Tree;

// A value in a Tree. It is valid until the tree's next parse().
class Value {
 public:
  Kind kind() const;
  bool boolean() const;
  std::string_view text() const;           // A string's content, unescaped; a number as written.
  std::string_view key() const;            // The key of an object's member, unescaped.
  std::size_t offset() const;              // Where the value begins in the text.
  std::size_t size() const;                // The number of members or items.
  Value find(std::string_view key) const;  // The member `key`; exists() is false if there is none.
  bool exists() const { return tree_ != nullptr; }
  std::string_view source() const;  // The whole text.

  // These iterate in text order:
  //   for (Value each = value.first_child(); each.exists(); each = each.next_sibling())
  Value first_child() const;
  Value next_sibling() const;

 private:
  friend class Tree;
  Value(const Tree* tree, std::uint32_t index, std::uint32_t end) : tree_(tree), index_(index), end_(end) {}

  const Tree* tree_;
  std::uint32_t index_;
  std::uint32_t end_;  // The index after the enclosing array or object.
};

class Tree {
 public:
  Tree() = default;
  explicit Tree(std::string_view text) { parse(text); }
  Tree(const Tree&) = delete;  // Its views may point into unescaped_.
  Tree& operator=(const Tree&) = delete;

  // Returns false if there are problems: duplicate keys, or last a syntax error, and then there is no root.
  bool parse(std::string_view text);
  const std::vector<Problem>& problems() const { return problems_; }
  bool is_json() const { return is_json_; }
  Value root() const { return {this, 0, static_cast<std::uint32_t>(slots_.size())}; }
  std::string_view source() const { return source_; }

 private:
  friend class Value;
  struct Slot {
    std::string_view text;
    std::string_view key;
    std::uint32_t next = 0;  // The index after this value and its descendants.
    std::uint32_t size = 0;
    std::uint32_t offset = 0;
    Kind kind = Kind::null;
    bool boolean = false;
  };

  void value(Reader& in, std::string_view key);
  void object(Reader& in, std::uint32_t index);
  void report_duplicates(std::uint32_t index, const std::vector<std::uint32_t>& key_offsets,
                         std::size_t from);
  std::string_view stored_text(std::string_view text);

  std::string_view source_;
  std::vector<Slot> slots_;
  std::vector<Problem> problems_;
  std::vector<std::uint32_t> key_offsets_;
  std::string unescaped_;  // Unescaped strings. It must not reallocate, because of the views.
  bool is_json_ = false;
};

// Whether two values are equal. Numbers of any size are compared by their exact value.
bool equal(Value a, Value b);

// Returns a text with sorted keys and normalised numbers, the same only for equal values. It is not JSON.
std::string normal_form(Value value);
std::string normal_form(const Node& value);

inline Kind Value::kind() const { return tree_->slots_[index_].kind; }
inline bool Value::boolean() const { return tree_->slots_[index_].boolean; }
inline std::string_view Value::text() const { return tree_->slots_[index_].text; }
inline std::string_view Value::key() const { return tree_->slots_[index_].key; }
inline std::size_t Value::offset() const { return tree_->slots_[index_].offset; }
inline std::size_t Value::size() const { return tree_->slots_[index_].size; }
inline std::string_view Value::source() const { return tree_->source(); }
inline Value Value::first_child() const {
  const std::uint32_t end = tree_->slots_[index_].next;
  return {index_ + 1 < end ? tree_ : nullptr, index_ + 1, end};
}
inline Value Value::next_sibling() const {
  const std::uint32_t next = tree_->slots_[index_].next;
  return {next < end_ ? tree_ : nullptr, next, end_};
}
inline Value Value::find(std::string_view key) const {
  Value each = first_child();
  while (each.exists() && each.key() != key) each = each.next_sibling();
  return each;
}

}  // namespace snapgen::json

#pragma once
// A JSON text as a tree with the offset of every value. It is for schema files, which are read once and whose
// errors are reported in detail. Messages at run time never use it.
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/json/reader.h"
#include "runtime/json/writer.h"

namespace snapgen::json {

struct Member;

struct Node {
  Kind kind = Kind::null;
  bool boolean = false;
  std::string text;             // A string's content, or a number as written.
  std::vector<Member> members;  // The object's, in document order.
  std::vector<Node> items;      // The array's.
  std::size_t offset = 0;       // The value's first byte.

  bool is(Kind wanted) const { return kind == wanted; }
  const Node* find(std::string_view key) const;  // A member's value, or null.
  std::optional<std::int64_t> integer() const;   // An integer that fits, in any form: 1, 1.0, 1e0.
  std::optional<double> number() const;
};

struct Member {
  std::string key;
  std::size_t key_offset = 0;
  Node value;
};

// Follows one token of a JSON Pointer, still escaped: to a member, or to an item by its index. Returns null
// if there is none.
const Node* find_token(const Node& node, std::string_view token);

// Compares trees: numbers by value (1 equals 1.0), members in any order.
bool equal(const Node& a, const Node& b);

// Writes the canonical form. Numbers out of range (see canonical) become null; `problems` lists them.
void write(Writer& out, const Node& value);
std::string canonical_text(const Node& value);  // The same as write().

struct Problem {
  std::size_t offset;
  std::string message;  // One sentence.
};

struct Document {
  Node root;
  std::vector<Problem> problems;  // Duplicate keys, numbers out of range, and last a syntax error.

  bool ok() const { return problems.empty(); }
};

// Returns a tree even if there are problems: the part before a syntax error, and the first of duplicate keys.
Document parse_document(std::string_view text);

// The first syntax error of a text; nullopt: it is JSON. Makes no tree.
std::optional<Problem> first_syntax_error(std::string_view text);

struct LineColumn {
  std::size_t line;    // from 1
  std::size_t column;  // from 1, in characters
};

LineColumn place_at(std::string_view text, std::size_t offset);

}  // namespace snapgen::json

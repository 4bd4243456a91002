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
  std::vector<Member> members;  // An object's members, in document order.
  std::vector<Node> items;      // An array's items.
  std::size_t offset = 0;       // Where the value begins in the text.

  bool is(Kind wanted) const { return kind == wanted; }
  const Node* find(std::string_view key) const;  // The value of the member `key`, or null.
  std::optional<std::int64_t> integer() const;   // The value if it is an integer, as 1, 1.0 or 1e0.
  std::optional<double> number() const;
};

struct Member {
  std::string key;
  std::size_t key_offset = 0;
  Node value;
};

// Returns the member, or the item by its index, that one token of a JSON Pointer selects, or null if there is
// none. The token is still escaped.
const Node* child_at_token(const Node& node, std::string_view token);

// Returns a member of an object if it is a string, or else an empty text.
std::string string_member(const Node& object, std::string_view key);

// Compares two trees. Numbers are compared by value (1 equals 1.0), and the order of members does not matter.
bool equal(const Node& a, const Node& b);

// Writes a tree in canonical form. Numbers out of range (see canonical()) become null; Document::problems has
// them.
void write(Writer& out, const Node& value);
std::string canonical_text(const Node& value);  // Returns what write() writes.

struct Problem {
  std::size_t offset;
  std::string message;  // One sentence that describes the problem.
};

struct Document {
  Node root;
  std::vector<Problem> problems;  // Duplicate keys, numbers out of range; a syntax error is last.

  bool ok() const { return problems.empty(); }
};

// The problem with a number that is no double, or an integer beyond 64 bits. Its node has its text.
inline constexpr std::string_view number_out_of_range = "number out of range";

// Parses a JSON text. Returns a tree even if there are problems: the part before a syntax error, and the
// last of several members with the same key, as JSON.parse() does.
Document parse_document(std::string_view text);

// Returns the first syntax error of a text, or nullopt if the text is JSON. It builds no tree.
std::optional<Problem> first_syntax_error(std::string_view text);

struct LineColumn {
  std::size_t line;    // the first line is 1
  std::size_t column;  // in characters; the first is 1
};

LineColumn line_column_at(std::string_view text, std::size_t offset);

}  // namespace snapgen::json

#pragma once
// Reader: one pass over one JSON text, straight into structs. Generated readers call it; nothing is built
// in between.
//
// Two kinds of failure. The text is not JSON (RFC 8259, strict): the reader stops for good, every further
// call is a no-op and syntax_ok() is false. The text is JSON but not what the schema says: a Violation is
// recorded, the value is passed over, and reading goes on, so that one pass finds every violation. A text
// that fits costs nothing for this: violations hold byte offsets, and their JSON Pointers are computed
// only when somebody asks.
//
// The text must be valid UTF-8 (json::valid_utf8) and must outlive the reader.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace snapgen::json {

inline constexpr int depth_max = 512;  // Arrays and objects within each other; deeper is a syntax error.
// Violations kept; more are counted alone, so that no text can fill the memory.
inline constexpr std::size_t violations_max = 1000;

bool valid_utf8(std::string_view text);

enum class Kind : std::uint8_t { object, array, string, number, boolean, null, invalid };

struct Violation {
  // RFC 6901; of the value, or of the object for `required`.
  std::string pointer;
  // The JSON Schema keyword that failed: "type", "required", "additionalProperties", ...; "duplicate" for a
  // property given twice, which no keyword speaks of.
  std::string_view keyword;
  // One sentence: what was expected, what was found, what was probably meant.
  std::string message;
};

class Reader {
 public:
  explicit Reader(std::string_view text);
  Reader(Reader&&) = delete;

  bool syntax_ok() const { return error_ == nullptr; }              // Nothing but JSON so far.
  bool ok() const { return syntax_ok() && violation_count_ == 0; }  // syntax_ok() and no violation.
  std::size_t error_offset() const { return error_offset_; }        // Where the syntax error is.
  std::string_view error_message() const;                           // What it is: "unterminated string", ...
  std::vector<Violation> violations() const;                        // In document order.

  Kind peek();                                           // The next value's kind, by its first byte.
  std::size_t offset();                                  // Where the next value begins.
  std::size_t key_offset() const;                        // Where the key that next_key returned last begins.
  std::string_view number_at(std::size_t offset) const;  // The number that was read there, as it is written.

  // Each reads one value. A value of another kind is a `type` violation: it is passed over, `out` is left as
  // it was, and false is returned.
  bool string(std::string& out);
  bool string(std::string_view& out);  // Valid until the next call of string; does not copy without need.
  bool integer(std::int64_t& out);     // 1, 1.0 and 1e0 are the integer 1.
  bool integer(std::uint64_t& out);    // The same, from 0 to 2^64-1.
  bool number(double& out);            // A finite double; out of range is a violation.
  bool number_text(std::string_view& out);  // As it is written, of any size.
  bool boolean(bool& out);
  bool null();
  void raw(std::string& out);       // Any value, its text verbatim.
  void raw(std::string_view& out);  // The same, as a part of the text; empty after a syntax error.
  void skip();                      // Any value; its syntax is checked in full.

  // if (in.begin_object()) { std::string_view key; while (in.next_key(key)) { ...exactly one value... } }
  // `key` stays valid until the next call of next_key at any level.
  bool begin_object();
  bool next_key(std::string_view& key);
  // if (in.begin_array()) while (in.next_element()) { ...exactly one value... }
  bool begin_array();
  bool next_element();

  // Looks ahead into the object that comes next, without moving: the string value of its member `name`.
  // False if the next value is no object or has no such string member. For tagged unions.
  bool peek_member(std::string_view name, std::string& out);

  void end();  // Nothing but white space may follow.

  // For generated code, on paths that fail. The offset is that of the value concerned.
  void violate(std::size_t offset, std::string_view keyword, std::string message);
  // At the next value, which is passed over. `expected` as in "expected a string, found 3": "a string".
  void violate_type(std::string_view expected);
  // A string that is none of `known`; proposes the nearest.
  void violate_enum(std::size_t offset, std::string_view found, const std::string_view* known,
                    std::size_t count);
  // At the key just returned by next_key; passes the value over and proposes the nearest known name.
  void unknown_key(std::string_view key, const std::string_view* known, std::size_t count);
  void duplicate_key(std::string_view key);  // the same, for a key seen before
  std::size_t violation_count() const { return violation_count_; }

  // Speculation, for unions told apart by trial alone: a copy of the position; rewinding forgets the
  // violations recorded since.
  struct Mark {
    std::size_t position;
    std::size_t violations;
    int depth;
  };
  Mark mark() const;
  void rewind(const Mark& mark);

 private:
  friend class Examined;
  struct Pending {
    std::size_t offset;
    std::string_view keyword;
    std::string message;
  };

  void space();  // Passes over white space.
  bool at(char byte) const { return at_ != end_ && *at_ == byte; }
  bool fail(const char* where, const char* message);  // The syntax error; false.
  bool fail_here(const char* message);                // The same at at_, or that the text ends here.
  bool wrong_kind(std::string_view expected);         // violate_type; false.
  bool begin_failed(char bracket);
  bool word(std::string_view literal);
  bool wrong_number(const char* from, std::string_view expected);
  bool plain_string(const char*& from,
                    const char*& to);  // Moves past it; false, and nothing, if it is not plain.
  bool string_slow(std::string& out);
  bool string_slow(std::string_view& out);
  bool next_key_slow(std::string_view& key);
  bool next_element_slow();
  bool short_integer(const char* digits, std::uint64_t& out);  // Of 18 digits at most; moves past it.
  template <class T>
  bool integer_slow(T& out, std::string_view range);
  bool integer_slow(std::int64_t& out);
  bool integer_slow(std::uint64_t& out);
  bool skip_number();
  bool skip_string();
  bool skip_key();
  bool skip_escape();       // at_ is at the backslash.
  bool escape(char*& out);  // The same, and writes what it stands for: 1 to 4 bytes.
  bool code_unit(const char* where, std::uint32_t& unit);  // The four digits at at_.
  bool code_point(std::uint32_t& point);  // One or two \u escapes; at_ is after the first \u.
  void skip_blocks();  // From a backslash on, as far as whole blocks hold valid escapes and plain bytes.
  void unescape_block(
      char*& out);  // The next block, up to what is neither plain nor an escape of one letter.
  bool unescape(const char* from, std::string& out);  // at_ is at the string's first byte that is not plain.

  const char* begin_;
  const char* at_;
  const char* end_;
  const char* key_at_;
  const char* error_ = nullptr;  // A syntax error leaves at_ at end_, where every call ends at once.
  std::size_t error_offset_ = 0;
  int depth_ = 0;
  bool first_ = false;  // Just behind the opening bracket.
  std::string key_;     // A key, or a string, that had to be unescaped.
  std::string scratch_;
  std::vector<Pending> pending_;
  std::size_t violation_count_ = 0;
  int examined_ = 0;  // Values being read that a plan will be asked about.
};

// RFC 6901 pointer of the value or key at `offset` in `text`, which is valid JSON.
std::string pointer_at(std::string_view text, std::size_t offset);

}  // namespace snapgen::json

#include "runtime/json/reader_inline.h"

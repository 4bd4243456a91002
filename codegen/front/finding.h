#pragma once
// Findings: errors in the schema files, and notes about what is right but hardly meant. A run collects those
// of all stages before it reports them.
#include <cstddef>
#include <string>
#include <vector>

namespace snapgen::codegen {

struct File;

// The location of a value inside a schema file.
struct SourceLocation {
  const File* file = nullptr;
  std::size_t offset = 0;  // Number of bytes before the value in its file.
  std::string pointer;     // A JSON Pointer (RFC 6901); empty for the root.
};

// Returns the location of a member or element of the value at `place`.
SourceLocation inner_location(const SourceLocation& location, std::string_view token, std::size_t offset);

struct LineAndColumn {
  std::size_t line = 1;
  std::size_t column = 1;  // In bytes.
};
LineAndColumn line_and_column(const SourceLocation& location);

struct Finding {
  std::string file;
  std::size_t line = 0;    // The first line is 1; 0 means the whole file.
  std::size_t column = 0;  // The column in bytes; the first one is 1.
  std::string pointer;
  std::string sentence;
  std::string proposal;  // The text that the author probably meant, or empty.
  bool is_note = false;  // True for a note, which is no error.
  auto operator<=>(const Finding&) const = default;
};

// Returns the finding on one line: schemas/wire/check.json:12:7: /inputSchema/properties/a: one sentence; did
// you mean "b"?
std::string finding_line(const Finding& finding);

class Findings {
 public:
  void add(const SourceLocation& location, std::string sentence);
  void add(const std::string& file, std::string sentence);  // Adds a finding about the whole file.
  void add_note(const SourceLocation& location, std::string sentence);
  // Adds the other findings whose places no finding here has.
  void add_at_other_places(const Findings& others);
  bool has_below(const SourceLocation& location) const;  // Has findings about this value, or parts of it.
  bool empty() const { return findings_.empty(); }
  std::size_t size() const { return findings_.size(); }

  // Returns the errors by file, line, column and sentence, without duplicates.
  std::vector<Finding> sorted() const;
  std::vector<Finding> sorted_with_notes() const;
  std::vector<std::string> lines() const;  // The errors as lines.

 private:
  std::vector<Finding> findings_;  // The errors.
  std::vector<Finding> notes_;
};

// Returns one line for each finding, as finding_line() does. `colour` adds terminal escape sequences.
std::string report_text(const std::vector<Finding>& findings, bool colour);

// Returns the findings as JSON and a line break:
// {"findings":[{"column":7,"file":"...","line":12,"note":true,"pointer":"/a","proposal":"...","sentence":"..."}]}
// Omits `line` and `column` for a whole file, an empty `proposal`, and `note` for an error.
std::string report_json(const std::vector<Finding>& findings);

// Returns the end of a sentence, "; did you mean "known"?", if one of `names` is similar, else an empty text.
// A Finding stores it separately as its proposal.
std::string suggestion_clause(std::string_view name, const std::vector<std::string_view>& names);
std::string suggestion_of(std::string_view proposal);

}  // namespace snapgen::codegen

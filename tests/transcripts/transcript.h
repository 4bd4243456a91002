#pragma once
// Transcript: a whole session as a text that people can read and tests can play against a server.
//
//   # A comment.
//   ! --page-size 2             options of the server, before all other lines
//   % meta {...}                in later lines, %meta% is replaced by {...}
//   = 2025-06-18                the revision of later messages of the server; at first 2026-07-28
//   > {"jsonrpc":...}           sent: one message, valid or not
//   >> "\xff{}\r\n"             sent: any bytes with C escapes, without an added newline
//   < {"jsonrpc":...}           expected: the next message
//   <~ {"jsonrpc":...}          expected: the messages of a block of such lines, in any order
//   @ state                     in later sent lines, @state@ is replaced by the requestState or taskId of
//                               the last message
//   .                           the client closes its output
//   $                           expected: the server ends
//
// Messages are compared as JSON. In an expected message, the string "..." matches any value, "..." within a
// string matches any text, and a member "...": 0 permits further members.
#include <string>
#include <string_view>
#include <vector>

namespace snapgen::transcripts {

struct Step {
  enum class Kind { revision, send, expect, expect_any_order, keep_state, end, expect_end };
  Kind kind;
  std::string text;  // The bytes to send with their line end, the expected message, a revision, or a name.
  int line;
};

struct Transcript {
  std::string name;
  std::vector<std::string> options;
  std::vector<Step> steps;
};

// Ends the process with a message if the file is not a valid transcript.
Transcript read_transcript(const std::string& path);

// Returns whether `found` matches `expected`.
bool matches(std::string_view expected, std::string_view found);

}  // namespace snapgen::transcripts

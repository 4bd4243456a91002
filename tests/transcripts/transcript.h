#pragma once
// Transcript: a whole session as text, to be read by people and played against a server.
//
//   # A comment.
//   ! --page-size 2             options of the server; first of all
//   % meta {...}                from here on, %meta% is short for {...}
//   = 2025-06-18                the revision of what the server says from here on; 2026-07-28 at first
//   > {"jsonrpc":...}           sent: one message, whatever it is
//   >> "\xff{}\r\n"             sent: any bytes, and no line end but those written; C escapes
//   < {"jsonrpc":...}           expected: the next message
//   <~ {"jsonrpc":...}          expected: the messages of a block of these, in any order
//   @ state                     from here on, @state@ in what is sent is the requestState of the last
//   message, or
//                               its taskId
//   .                           the client's end: nothing more will be sent
//   $                           expected: the server's end
//
// Messages are compared as JSON. In what is expected, the string "..." is any value, "..." within a string is
// any text, and a member "...": 0 says that there may be more members.
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

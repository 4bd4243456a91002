#pragma once
// Requests that are rendered before the clock starts, in one buffer, so that several are sent with one write.
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

enum class Era { legacy, modern };

// A call: a tool, its arguments (a JSON object), and text that the result must contain (empty: not
// checked).
struct Subject {
  Era era = Era::legacy;
  std::string tool;
  std::string arguments;
  std::string expected;
};

class Requests {
 public:
  // Renders `count` calls with ids first_id, first_id + 1, ...; the calls are reused as a ring.
  Requests(const Subject& subject, std::size_t count);

  std::size_t size() const { return ends_.size() - 1; }
  // Returns the requests [from, to) of the ring, without wrapping around.
  std::string_view slice(std::size_t from, std::size_t to) const;

  // Returns the index of the request that `answer` belongs to. Ends the program if the answer is wrong.
  std::size_t check(std::string_view answer) const;

 private:
  std::string expected_;
  std::string text_;
  std::vector<std::size_t> ends_;
};

// Returns the arguments {"text": ...} and the expected text of an echo: a short text, or `bytes` of source
// code with quotes, backslashes, accents and emoji.
Subject echo(Era era, std::size_t bytes);

// Single messages, with their newline.
std::string initialize();
std::string initialized();
std::string discover();

}  // namespace bench

#pragma once
// UnformattedAnswer: a tool's answer before it is converted to the form for the host.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "tools/server/answers/host_table.h"

namespace snapgen::tools {

// TextLimit: the remaining length of an answer that a host shows in full.
class TextLimit {
 public:
  // By default there is no limit.
  TextLimit() = default;
  explicit TextLimit(const HostTraits& host)
      : bytes_(remaining_after(host.shown_bytes_max, reserved_bytes)),
        lines_(remaining_after(host.shown_lines_max, reserved_lines)) {}

  bool is_limited() const { return bytes_ != unlimited || lines_ != unlimited; }
  std::size_t bytes() const { return bytes_; }

  // Subtracts the size of a piece. If the piece does not fit, returns false and subtracts nothing.
  bool try_consume(std::size_t bytes, std::size_t lines) {
    if (bytes > bytes_ || lines > lines_) return false;
    if (bytes_ != unlimited) bytes_ -= bytes;
    if (lines_ != unlimited) lines_ -= lines;
    return true;
  }
  bool try_consume(std::string_view piece) {
    return try_consume(piece.size(), static_cast<std::size_t>(std::ranges::count(piece, '\n')));
  }

 private:
  static constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();
  // The part of the limit that is reserved for text that the host adds, and for the answer's header.
  static constexpr std::size_t reserved_bytes = 1000;
  static constexpr std::size_t reserved_lines = 6;

  static std::size_t remaining_after(std::size_t shown, std::size_t reserved) {
    if (shown == 0) return unlimited;
    return shown > reserved ? shown - reserved : 0;
  }

  std::size_t bytes_ = unlimited;
  std::size_t lines_ = unlimited;
};

struct UnformattedAnswer {
  std::string_view structured;            // The structured content as canonical JSON.
  std::string_view summary;               // The text of the tool, which may be empty.
  std::int64_t requested_start_line = 1;  // The argument start_line of the call, if it has one.
  std::string_view requested_lease_id;    // The argument lease_id of the call, or empty.
  AnswerForm form = AnswerForm::text;
  TextLimit limit;  // There is no limit if the call itself sets a maximum length.
};

// Returns `path` for display: quoted as JSON if it has control characters, which are then visible.
std::string quoted_path(const std::string& path);
// Returns the short form of a blob id, which later calls accept. `blob` is "sha256:" and 64 digits.
std::string short_blob_id(std::string_view blob);
// Returns a line such as "skipped 2 binary, 1 ignored\n"; empty if nothing was skipped. `skipped` is the JSON
// of common/skipped.json.
std::string skipped_line(std::string_view skipped);

}  // namespace snapgen::tools

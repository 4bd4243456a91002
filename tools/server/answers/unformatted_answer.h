#pragma once
// UnformattedAnswer: a tool's answer before it is converted to the form for the host.
#include <cstdint>
#include <string>
#include <string_view>

#include "tools/server/answers/host_table.h"
#include "tools/server/answers/text_limit.h"

namespace snapgen::tools {

struct UnformattedAnswer {
  std::string_view structured;  // Canonical JSON.
  std::string_view summary;     // The text of the tool; may be empty.
  std::int64_t start_line = 1;  // The tool's argument of this name, if any.
  std::string_view lease_id;    // The call's argument of this name; or empty.
  AnswerForm form = AnswerForm::text;
  TextLimit limit;  // Unlimited if the call itself sets a limit in bytes.
};

// `path` for display: quoted as JSON if it has control characters.
std::string shown_path(const std::string& path);
// The short form of a blob id, which later calls accept. `blob`: "sha256:" and 64 digits.
std::string short_blob(std::string_view blob);
// "skipped 2 binary, 1 ignored\n"; empty if nothing was skipped. `skipped`: the JSON of common/skipped.json.
std::string skipped_line(std::string_view skipped);

}  // namespace snapgen::tools

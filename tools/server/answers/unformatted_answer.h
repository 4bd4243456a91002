#pragma once
// UnformattedAnswer: a tool's answer before it is converted to the form for the host.
#include <cstdint>
#include <string>
#include <string_view>

#include "tools/server/answers/host_table.h"
#include "tools/server/answers/text_limit.h"

namespace snapgen::tools {

struct UnformattedAnswer {
  std::string_view structured;            // The structured content as canonical JSON.
  std::string_view summary;               // The text of the tool, which may be empty.
  std::int64_t requested_start_line = 1;  // The argument start_line of the call, if it has one.
  std::string_view requested_lease_id;    // The argument lease_id of the call, or empty.
  AnswerForm form = AnswerForm::text;
  TextLimit limit;  // There is no limit if the call itself sets a maximum length.
};

// Returns `path` for display: quoted as JSON if it has control characters.
std::string quoted_path(const std::string& path);
// Returns the short form of a blob id, which later calls accept. `blob` is "sha256:" and 64 digits.
std::string short_blob_id(std::string_view blob);
// Returns a line such as "skipped 2 binary, 1 ignored\n"; empty if nothing was skipped. `skipped` is the JSON
// of common/skipped.json.
std::string skipped_line(std::string_view skipped);

}  // namespace snapgen::tools

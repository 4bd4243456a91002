#pragma once
// Answered: what a tool answered, on its way to the form that a host shows.
#include <cstdint>
#include <string>
#include <string_view>

#include "tools/server/answers/host_table.h"
#include "tools/server/answers/text_limit.h"

namespace snapgen::tools {

struct Answered {
  std::string_view structured;  // The structured content, canonical.
  std::string_view summary;     // The words that the tool added; may be empty.
  std::int64_t start_line = 1;  // The argument of this name, if the tool has one.
  std::string_view lease_id;    // The same; empty: the call gives none.
  AnswerForm form = AnswerForm::text;
  TextLimit limit;  // Without a limit if the call itself names one in bytes.
};

// `path` as it is shown in a line: quoted as JSON if it has control characters.
std::string shown_path(const std::string& path);
// The first digits of a blob, which name it in later calls. `blob`: "sha256:" and 64 digits.
std::string short_blob(std::string_view blob);
// "skipped 2 binary, 1 ignored\n"; empty if nothing was skipped. `skipped`: common/skipped.json as text.
std::string skipped_line(std::string_view skipped);

}  // namespace snapgen::tools

#pragma once
// Answers of the reading tools in the host's form: a header line, and then contents, matches, paths or a diff
// unchanged. In the JSON form: structured content within the host's limit. If something does not fit, the
// answer says how to continue.
#include <string>

#include "tools/server/answers/unformatted_answer.h"

namespace snapgen::tools {

std::string file_answer(const UnformattedAnswer& answered);
std::string grep_answer(const UnformattedAnswer& answered);
std::string list_answer(const UnformattedAnswer& answered);
std::string diff_answer(const UnformattedAnswer& answered);
std::string changes_answer(const UnformattedAnswer& answered);

}  // namespace snapgen::tools

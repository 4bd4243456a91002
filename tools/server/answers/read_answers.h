#pragma once
// The answers of the tools that read, in the form that a host shows: one line about the answer and then
// contents, matches, paths or a diff as they are; or, in the form json, structured content that is no longer
// than the host shows. What does not fit is left out, and the answer says how to continue.
#include <string>

#include "tools/server/answers/answered.h"

namespace snapgen::tools {

std::string file_answer(const Answered& answered);
std::string grep_answer(const Answered& answered);
std::string list_answer(const Answered& answered);
std::string diff_answer(const Answered& answered);
std::string changes_answer(const Answered& answered);

}  // namespace snapgen::tools

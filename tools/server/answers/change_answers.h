#pragma once
// Answers of tools that make snapshots or change files, as text for models. Only snapshot.export has more
// than a few lines.
#include <string>

#include "tools/server/answers/answered.h"

namespace snapgen::tools {

std::string created_text(const Answered& answered);
std::string described_text(const Answered& answered);
std::string exported_text(const Answered& answered);
std::string patched_text(const Answered& answered);
std::string written_text(const Answered& answered);
std::string deleted_text(const Answered& answered);

}  // namespace snapgen::tools

#pragma once
// Converts answers of tools that make snapshots or change files to text for models. Only the answer of
// snapshot.export has more than a few lines.
#include <string>

#include "tools/server/answers/unformatted_answer.h"

namespace snapgen::tools {

std::string created_text(const UnformattedAnswer& answered);
std::string snapshot_info_text(const UnformattedAnswer& answered);
std::string exported_text(const UnformattedAnswer& answered);
std::string patched_text(const UnformattedAnswer& answered);
std::string written_text(const UnformattedAnswer& answered);
std::string deleted_text(const UnformattedAnswer& answered);

}  // namespace snapgen::tools

#pragma once
// Converts answers of tools that make snapshots or change files to text for models. Only the answer of
// snapshot.export has more than a few lines.
#include <string>

#include "tools/server/answers/unformatted_answer.h"

namespace snapgen::tools {

std::string snapshot_create_answer(const UnformattedAnswer& answered);
std::string snapshot_info_answer(const UnformattedAnswer& answered);
std::string snapshot_export_answer(const UnformattedAnswer& answered);
std::string apply_patch_answer(const UnformattedAnswer& answered);
std::string write_file_answer(const UnformattedAnswer& answered);
std::string delete_answer(const UnformattedAnswer& answered);

}  // namespace snapgen::tools

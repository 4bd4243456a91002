#pragma once
// Converts answers of tools that make or compare snapshots, or change files, to the host's form. If a diff or
// a list of changes does not fit the host's limit, the answer says how to continue.
#include <string>

#include "tools/server/answers/unformatted_answer.h"

namespace snapgen::tools {

std::string snapshot_create_answer(const UnformattedAnswer& answered);
std::string snapshot_info_answer(const UnformattedAnswer& answered);
std::string snapshot_export_answer(const UnformattedAnswer& answered);
std::string diff_answer(const UnformattedAnswer& answered);
std::string changes_answer(const UnformattedAnswer& answered);
std::string apply_patch_answer(const UnformattedAnswer& answered);
std::string write_file_answer(const UnformattedAnswer& answered);
std::string delete_answer(const UnformattedAnswer& answered);

}  // namespace snapgen::tools

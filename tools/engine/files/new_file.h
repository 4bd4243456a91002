#pragma once
// Creation of files that never replace an existing one.
#include <string>
#include <string_view>

#include "runtime/base/result.h"

namespace snapgen::core {

// Makes folder/name, durably and with its whole content from the start, if the name is unused. If several
// callers do so at once, one succeeds. Returns false, and changes nothing, if the name is in use. Errors:
// unavailable; the file remains if only the sync of the folder failed.
Result<bool> make_new_file(const std::string& folder, const std::string& name, std::string_view bytes);

}  // namespace snapgen::core

#pragma once
// A file of our own that takes nobody's place.
#include <string>
#include <string_view>

#include "runtime/base/result.h"

namespace snapgen::core {

// Makes folder/name, durably and with its whole content from the start, if nothing stands there: of several
// who do so at once, one succeeds. False: something stands there, and stays as it is. Errors: unavailable; if
// it was made and only the sync of the folder failed, it stays.
Result<bool> make_new_file(const std::string& folder, const std::string& name, std::string_view bytes);

}  // namespace snapgen::core

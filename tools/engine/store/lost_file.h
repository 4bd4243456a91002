#pragma once
// What is told where the store cannot give the content of a file of a snapshot. The store knows blobs alone;
// whoever is told needs the file's name, to leave it out.
#include <string_view>

#include "runtime/base/result.h"

namespace snapgen::core {

// `what` did not come about, as in "cannot be exported"; `then`: a sentence about what to do.
Error lost_file(std::string_view path, std::string_view what, Error why, std::string_view then = {});

}  // namespace snapgen::core

#pragma once
// From a file's bytes to its blob's: the text conversions that git applies on the way in (gitattributes(5)).
#include <functional>
#include <string>
#include <string_view>

#include "tools/engine/git/attributes.h"

namespace snapgen::core::git {

// The bytes that git would store. `indexed` gives the blob that the index holds for the path (empty if none);
// it is asked for only when line ends are guessed and there is something to convert: git leaves CRLF alone in
// a file that was stored with it.
Result<std::string> cleaned(std::string bytes, const Cleaning& cleaning,
                            const std::function<Result<std::string>()>& indexed);

}  // namespace snapgen::core::git

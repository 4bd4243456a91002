#pragma once
// Converts a file's bytes to those of its blob, as git does when it adds the file (gitattributes(5)).
#include <functional>
#include <string>

#include "tools/engine/git/walk/attributes.h"

namespace snapgen::core::git {

// Returns the bytes that git would store. `indexed` reads the path's blob from the index (empty if none). It
// is called only if line ends are guessed and there is something to convert, because git leaves CRLF
// unchanged in a file that is stored with it.
Result<std::string> cleaned_content(std::string bytes, const ContentConversion& conversion,
                                    const std::function<Result<std::string>()>& indexed);

}  // namespace snapgen::core::git

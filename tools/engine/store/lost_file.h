#pragma once
// The errors for a snapshot's file whose content the store cannot return. The store knows only blobs, but the
// client needs the file's name, so that it can exclude the file.
#include <string_view>

#include "runtime/base/result.h"
#include "tools/engine/store/manifest.h"

namespace snapgen::core {

// The error `why` for the file `path`. `what` names the failed operation, as in "cannot be exported"; `then`
// is a sentence that says what to do.
Error lost_file_error(std::string_view path, std::string_view what, Error why, std::string_view then = {});

// The error for a file whose blob the store does not have.
Error missing_blob_error(const ManifestEntry& entry);

}  // namespace snapgen::core

#include "tools/engine/store/lost_file.h"

#include <string>
#include <utility>

#include "tools/engine/files/path.h"
#include "tools/engine/store/blob_store.h"

namespace snapgen::core {

Error lost_file_error(std::string_view path, std::string_view what, Error why, std::string_view then) {
  // The snapshot names the blob, so a missing blob is a fault of the store, not of the client.
  if (why.code == ErrorCode::not_found) why.code = ErrorCode::internal;
  why.message = path_in_sentence(path) + " " + std::string(what) + ": " + why.message;
  if (!then.empty()) why.message += " " + std::string(then);
  return why;
}

Error missing_blob_error(const ManifestEntry& entry) {
  return Error(ErrorCode::internal,
               "The blob of " + path_in_sentence(entry.path) + " is missing in the snapshot store. " +
                   std::string(verify_store_sentence),
               "{\"blob\":\"" + entry.blob.text() + "\"}");
}

}  // namespace snapgen::core

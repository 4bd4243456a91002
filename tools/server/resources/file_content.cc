#include "tools/server/resources/file_content.h"

#include "tools/engine/files/path.h"
#include "tools/engine/read/file.h"

namespace snapgen::tools {

Result<ResourceContent> file_content(core::FileView& view, std::string_view path) {
  std::string found = TRY(core::path_from_text(path));
  core::FileAnswer file = TRY(core::read_file(view, {.path = found, .bytes_max = resource_bytes_max}));
  if (file.truncated)
    return Error(ErrorCode::invalid_argument,
                 core::path_in_sentence(found) + " has " + std::to_string(file.size) +
                     " bytes, which is too large for a resource; read it in parts with snapshot_file.");
  return ResourceContent{.bytes = std::move(file.content), .mime_type = std::string(mime_type_of(found))};
}

}  // namespace snapgen::tools

#include "tools/engine/files/new_file.h"

#include "tools/engine/files/pending_file.h"

namespace snapgen::core {

Result<bool> make_new_file(const std::string& folder, const std::string& name, std::string_view bytes) {
  PendingFile written = TRY(PendingFile::write(folder, name, bytes, Durability::machine_crash));
  return written.create_target();
}

}  // namespace snapgen::core

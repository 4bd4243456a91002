#include "tools/engine/files/new_file.h"

#include "tools/engine/files/replacement.h"

namespace snapgen::core {

Result<bool> make_new_file(const std::string& folder, const std::string& name, std::string_view bytes) {
  Replacement written = TRY(Replacement::write(folder, name, bytes, Durability::machine));
  return written.take_free_place();
}

}  // namespace snapgen::core

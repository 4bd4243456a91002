// Writes an error of a handler as the text that a client gets from the tools of this family.
#include "schemas/tools.h"

namespace consumer {

void shop_error(std::string& text, const snapgen::Error& error) { text = error.message; }

}  // namespace consumer

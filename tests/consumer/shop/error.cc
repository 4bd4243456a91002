// Converts errors to the form that the shop's tools return.
#include "schemas/tools.h"

namespace consumer {

void shop_error(std::string& text, const snapgen::Error& error) { text = error.message; }

}  // namespace consumer

// The form of errors of the shop's tools.
#include "schemas/tools.h"

namespace consumer {

void shop_error(std::string& text, const snapgen::Error& error) { text = error.message; }

}  // namespace consumer

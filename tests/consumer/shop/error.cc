// How the shop's tools show an error.
#include "schemas/tools.h"

namespace consumer {

void shop_error(std::string& text, const snapgen::Error& error) { text = error.message; }

}  // namespace consumer

#include "tools/insight/imports/scan.h"

namespace snapgen::core {

std::vector<Import> scan_imports(Language language, std::string_view text) {
  switch (language) {
    case Language::none: return {};
    case Language::javascript: return scan_javascript(text);
    case Language::python: return scan_python(text);
    case Language::c: return scan_c(text);
    case Language::go: return scan_go(text);
    case Language::rust: return scan_rust(text);
    case Language::component: return scan_component(text);
  }
  return {};
}

}  // namespace snapgen::core

#pragma once
// Makes the page of `snap report`: one self-contained HTML file that makes no network requests. File names
// and texts that people wrote are escaped.
#include <string>
#include <string_view>

#include "tools/work/history/history.h"

namespace snapgen::tools {

// `name` is the workspace's name, for the title. Equal histories give equal bytes. Times are UTC.
std::string report_page(const core::History& history, std::string_view name);

}  // namespace snapgen::tools

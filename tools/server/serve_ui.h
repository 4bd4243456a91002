#pragma once
// Runs `snap ui`: the event loop, and the page that shows the history.
#include <cstdint>
#include <functional>
#include <string>

#include "runtime/base/result.h"

namespace snapgen::tools {

class Assembly;

// Serves the page for the workspace of the assembly on 127.0.0.1 until a signal arrives; port 0 selects a
// free one. Calls `on_open` with the URL when it accepts connections. Errors: those of UiListener::open() and
// of `on_open`.
Result<Unit> serve_ui(Assembly& assembly, std::uint16_t port,
                      const std::function<Result<Unit>(const std::string& url)>& on_open);

}  // namespace snapgen::tools

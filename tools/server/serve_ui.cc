#include "tools/server/serve_ui.h"

#include <memory>
#include <stop_token>
#include <utility>

#include "runtime/async/loop.h"
#include "runtime/uv/uv_port.h"
#include "tools/server/assembly.h"
#include "tools/server/listeners/ui_listener.h"

namespace snapgen::tools {

Result<Unit> serve_ui(Assembly& assembly, std::uint16_t port,
                      const std::function<Result<Unit>(const std::string& url)>& on_open) {
  std::unique_ptr<UvPort> uv = TRY(UvPort::create());
  std::stop_source stop;
  TRY(uv->stop_on_signals(stop));
  Loop loop(*uv);
  std::unique_ptr<UiListener> listener = TRY(UiListener::open(loop, assembly.app(), assembly.tools(), port));
  TRY(on_open(listener->url()));
  return loop.run(listener->serve(stop.get_token()));
}

}  // namespace snapgen::tools

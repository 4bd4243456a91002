#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <CLI/App.hpp>
#include <spawn.h>
#include <sys/wait.h>

#include "runtime/base/environment.h"
#include "runtime/base/spawn.h"
#include "tools/cli/caller.h"
#include "tools/cli/commands.h"
#include "tools/server/serve_ui.h"

extern char** environ;

namespace snapgen::tools {
namespace {

struct UiOptions {
  std::uint16_t port = 0;
  bool no_open = false;
};

// Opens the URL in the user's browser. The shell starts the browser in the background and in a separate
// session, so that Ctrl-C does not end it. A failure is ignored, because the URL is printed.
void open_browser(const std::string& url) {
  const std::vector<std::string> words = {"sh", "-c", "xdg-open \"$1\" >/dev/null 2>&1 </dev/null &", "sh",
                                          url};
  ::posix_spawnattr_t attributes;
  if (::posix_spawnattr_init(&attributes) != 0) return;
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
  pid_t shell = 0;
  const int failed =
      ::posix_spawn(&shell, "/bin/sh", nullptr, &attributes, null_terminated_pointers(words).data(), environ);
  ::posix_spawnattr_destroy(&attributes);
  if (failed == 0) ::waitpid(shell, nullptr, 0);
}

bool has_display() { return environment_variable("DISPLAY") || environment_variable("WAYLAND_DISPLAY"); }

Result<int> show_page(const Invocation& invocation, const UiOptions& options) {
  std::unique_ptr<Assembly> assembly = TRY(make_assembly(invocation));
  const auto on_open = [&](const std::string& url) -> Result<Unit> {
    TRY(invocation.out.print(url + "\n"));
    if (!options.no_open && has_display()) open_browser(url);
    return Unit{};
  };
  TRY(serve_ui(*assembly, options.port, on_open));
  return exit_done;
}

}  // namespace

void add_ui_command(CLI::App& program, Invocation& invocation) {
  auto options = std::make_shared<UiOptions>();
  CLI::App& command = add_command(
      program, invocation,
      {.name = "ui",
       .description = "Show the recorded changes on a page in the browser: turns, moments and their diffs, "
                      "with undo and rewind. Only this machine reaches it. Ctrl-C ends it.",
       .examples = {{"snap ui", "prints the URL, and opens it"},
                    {"snap ui --port 8123 --no-open", "at a fixed port; you open the URL"}},
       .takes_json = false},
      [options](const Invocation& parsed) { return show_page(parsed, *options); });
  command.add_option("--port", options->port, "The port on 127.0.0.1; 0: any free one.")
      ->type_name("PORT")
      ->capture_default_str();
  command.add_flag("--no-open", options->no_open, "Only print the URL, and do not open it in the browser.");
}

}  // namespace snapgen::tools

#include "tools/engine/git/repository/settings.h"

#include "runtime/base/ascii.h"

namespace snapgen::core::git {
namespace {

// Returns a path value, or the default below the user's configuration folder.
std::string path_setting(Config& config, std::string_view key, std::string_view file_name,
                         const std::string& root, const std::string& home,
                         const std::string& xdg_config_home) {
  if (config.last_entry(key) == nullptr) {
    if (!xdg_config_home.empty()) return xdg_config_home + "/git/" + std::string(file_name);
    return home.empty() ? std::string() : home + "/.config/git/" + std::string(file_name);
  }
  const std::string value = config.text(key);
  const std::optional<std::string> path = config_path(value, home);
  if (!path) config.set_fallback_reason("a path in the configuration needs git: " + std::string(key));
  return !path || path->empty() ? std::string() : joined_unless_absolute(root, *path);
}

std::optional<Renames> renames_of(const std::optional<std::string>& value) {
  if (value && (equal_ignoring_case(*value, "copies") || equal_ignoring_case(*value, "copy")))
    return Renames::copies;
  const std::optional<bool> on = config_boolean(value);
  if (!on) return std::nullopt;
  return *on ? Renames::on : Renames::off;
}

// Implements git status's precedence: status.renames overrides diff.renames; the first diff.renames and the
// last status.renames count. The same applies to the limits.
void read_renames(Config& config, Settings& out) {
  bool renames_set = false;
  bool limit_set = false;
  for (const ConfigEntry& entry : config.entries()) {
    const bool of_status = entry.key.starts_with("status.");
    if (entry.key == "status.renames" || entry.key == "diff.renames") {
      const std::optional<Renames> value = renames_of(entry.value);
      if (!value) config.set_fallback_reason("a configuration value is not a boolean: " + entry.key);
      if (value && (of_status || !renames_set)) {
        out.renames = *value;
        renames_set = true;
      }
    }
    if (entry.key == "status.renamelimit" || entry.key == "diff.renamelimit") {
      const std::optional<std::int64_t> value = entry.value ? config_integer(*entry.value) : std::nullopt;
      if (!value || *value < 0)
        config.set_fallback_reason("a configuration value is not a limit: " + entry.key);
      if (value && (of_status || !limit_set)) {
        out.rename_limit = *value;
        limit_set = true;
      }
    }
  }
}

}  // namespace

Settings read_settings(Config& config, const std::string& root, const std::string& home,
                       const std::string& xdg_config_home) {
  Settings out;
  out.file_mode = config.boolean("core.filemode", true);
  out.symlinks = config.boolean("core.symlinks", true);
  out.ignore_case = config.boolean("core.ignorecase", false);
  out.trust_ctime = config.boolean("core.trustctime", true);
  out.replace_refs = config.boolean("core.usereplacerefs", true);
  out.sparse_checkout = config.boolean("core.sparsecheckout", false);
  out.sparse_expects_files = config.boolean("sparse.expectfilesoutsideofpatterns", false);
  out.check_stat = !equal_ignoring_case(config.text("core.checkstat", "default"), "minimal");

  const std::string untracked = config.text("status.showuntrackedfiles", "normal");
  if (untracked == "no") {
    out.show_untracked = ShowUntracked::no;
  } else if (untracked == "all") {
    out.show_untracked = ShowUntracked::all;
  } else if (untracked != "normal") {
    config.set_fallback_reason("status.showUntrackedFiles has a value that not every git knows");
  }

  if (equal_ignoring_case(config.text("core.autocrlf", "false"), "input")) {
    out.auto_crlf = AutoCrlf::input;
  } else {
    out.auto_crlf = config.boolean("core.autocrlf", false) ? AutoCrlf::on : AutoCrlf::off;
  }
  const std::string line_end = config.text("core.eol", "");
  if (equal_ignoring_case(line_end, "lf")) out.line_end = LineEnd::lf;
  if (equal_ignoring_case(line_end, "crlf")) out.line_end = LineEnd::crlf;
  if (equal_ignoring_case(line_end, "native")) out.line_end = LineEnd::native;

  read_renames(config, out);
  out.excludes_file = path_setting(config, "core.excludesfile", "ignore", root, home, xdg_config_home);
  out.attributes_file =
      path_setting(config, "core.attributesfile", "attributes", root, home, xdg_config_home);
  out.fallback_reason = config.fallback_reason();
  return out;
}

}  // namespace snapgen::core::git

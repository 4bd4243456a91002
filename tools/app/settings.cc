#include "tools/app/settings.h"

#include <string>

#include "runtime/base/environment.h"
#include "runtime/base/text.h"
#include "runtime/fetch/service.h"
#include "runtime/json/document.h"
#include "runtime/json/reader.h"
#include "tools/engine/files/beneath.h"
#include "tools/engine/files/durable.h"
#include "tools/engine/files/path.h"
#include "tools/engine/operations/history/store_copy.h"

namespace snapgen::tools {
namespace {

constexpr std::string_view file_name = ".snapback/config.json";

Error wrong_settings(const std::string& what) {
  return Error(ErrorCode::invalid_argument, std::string(file_name) + ": " + what);
}

core::Subsystem subsystem_of(CheckCommandSubsystem subsystem) {
  switch (subsystem) {
    case CheckCommandSubsystem::types: return core::Subsystem::types;
    case CheckCommandSubsystem::build: return core::Subsystem::build;
    case CheckCommandSubsystem::lint: return core::Subsystem::lint;
    case CheckCommandSubsystem::tests: break;
  }
  return core::Subsystem::tests;
}

core::OutputFormat format_of(CheckCommandFormat format) {
  using Read = core::OutputFormat;
  switch (format) {
    case CheckCommandFormat::text: return Read::text;
    case CheckCommandFormat::exit: return Read::exit;
    case CheckCommandFormat::tsc: return Read::tsc;
    case CheckCommandFormat::eslint: return Read::eslint;
    case CheckCommandFormat::biome: return Read::biome;
    case CheckCommandFormat::ruff: return Read::ruff;
    case CheckCommandFormat::mypy: return Read::mypy;
    case CheckCommandFormat::cargo: return Read::cargo;
    case CheckCommandFormat::go: return Read::go;
    case CheckCommandFormat::go_test: return Read::go_test;
    case CheckCommandFormat::gcc_json: return Read::gcc_json;
    case CheckCommandFormat::junit: return Read::junit;
    case CheckCommandFormat::tap: return Read::tap;
    case CheckCommandFormat::jest: break;
  }
  return Read::jest;
}

// Reads the text of a settings file into the struct of its schema. `file` is its name in the errors. Errors:
// invalid_argument, a sentence with the location, the problem and a suggestion.
template <class T>
Result<T> settings_of_text(std::string_view text, std::string_view file) {
  const auto wrong = [&](const std::string& problem) {
    return Error(ErrorCode::invalid_argument, std::string(file) + ": " + with_full_stop(problem));
  };
  if (!json::valid_utf8(text)) return wrong("the file is not valid UTF-8");
  if (text.starts_with(byte_order_mark))
    return wrong("the file begins with a byte order mark; save it as UTF-8 without one");
  T settings;
  json::Reader in(text);
  read(in, settings);
  in.end();
  if (!in.syntax_ok()) {
    const json::LineColumn at = json::line_column_at(text, in.error_offset());
    return wrong("not JSON at line " + std::to_string(at.line) + ", column " + std::to_string(at.column) +
                 ": " + std::string(in.error_message()));
  }
  if (in.ok()) return settings;
  const json::Violation first = in.violations().front();
  const std::string where = first.pointer.empty() ? "the file" : core::path_in_sentence(first.pointer);
  return wrong(where + ": " + first.message);
}

}  // namespace

Result<Settings> read_settings(const std::string& workspace) {
  Result<std::string> text = core::read_state_file(workspace, file_name);
  if (!text && text.error().code == ErrorCode::not_found) return Settings();
  if (!text) return std::move(text).error();
  return parse_settings(*text);
}

Result<Settings> parse_settings(std::string_view text) {
  Settings settings = TRY(settings_of_text<Settings>(text, file_name));
  const std::optional<std::string> fault =
      settings.api ? fetch::base_url_fault(settings.api->base_url) : std::nullopt;
  if (fault) return wrong_settings("/api/base_url: " + *fault);
  return settings;
}

core::Retention retention_of(const Settings& settings) {
  StoreSettings store = settings.store.value_or(StoreSettings());
  core::Retention retention{.keep_days = store.keep_days,
                            .keep_count = store.keep_count,
                            .undo_days = store.undo_days,
                            .quota_bytes = store.quota_bytes,
                            .sweep_hours = store.sweep_hours};
  if (const std::optional<core::HistoryOptions> history = history_options_of(settings))
    retention.history = history->limits;
  return retention;
}

core::StoreLimits store_limits_of(const Settings& settings) {
  const StoreSettings store = settings.store.value_or(StoreSettings());
  return core::StoreLimits{.snapshot_bytes_max = retention_of(settings).store_bytes_max(),
                           .lease_bytes_max = store.lease_quota_bytes,
                           .log_bytes_max = store.log_quota_bytes};
}

std::optional<core::HistoryOptions> history_options_of(const Settings& settings) {
  const HistorySettings history = settings.history.value_or(HistorySettings());
  if (history.mode == HistorySettingsMode::off) return std::nullopt;
  core::HistoryOptions options;
  options.limits.bytes_max = history.bytes_max;
  options.file_bytes_max = history.file_bytes_max;
  options.ignored_files_max = static_cast<std::size_t>(history.ignored_files_max);
  options.ignored_bytes_max = history.ignored_bytes_max;
  if (history.copies) options.copies_folder = core::user_copies_folder();
  return options;
}

Result<core::WriteRules> write_rules_of(const Settings& settings) {
  const WriteSettings writes = settings.writes.value_or(WriteSettings());
  Result<core::WriteRules> rules = core::WriteRules::from_globs(writes.allow, writes.deny);
  if (!rules) return wrong_settings("/writes: " + rules.error().message);
  rules->set_undo_bytes_max(settings.store.value_or(StoreSettings()).undo_bytes_max);
  return rules;
}

Result<core::CheckSettings> check_settings_of(const Settings& settings) {
  const CheckSettings check = settings.check.value_or(CheckSettings());
  core::CheckSettings found{.deadline_ms = check.deadline_seconds * 1000,
                            .parallel_chains = static_cast<int>(check.parallel.value_or(0)),
                            .detects_commands = check.detect,
                            .replacement_commands = {},
                            .added_commands = {}};
  if (!check.commands) return found;
  for (std::size_t i = 0; i < check.commands->size(); ++i) {
    const CheckCommand& each = (*check.commands)[i];
    core::CheckCommand command;
    command.subsystem = subsystem_of(each.subsystem);
    command.name = core::program_name(each.command);
    command.argv = each.command;
    command.configured = true;
    command.format = format_of(each.format);
    command.report_path = each.report.value_or("");
    if (each.folder) {
      Result<std::string> folder = core::path_from_text(*each.folder);
      if (!folder)
        return wrong_settings("/check/commands/" + std::to_string(i) + "/folder: " + folder.error().message);
      command.folder = command.path_base = *std::move(folder);
    }
    (each.add ? found.added_commands : found.replacement_commands).push_back(std::move(command));
  }
  return found;
}

Result<UserSettings> read_user_settings() {
  const std::string folder = user_base_folder("XDG_CONFIG_HOME", ".config");
  if (folder.empty()) return UserSettings();
  const std::string path = folder + "/snapgen/config.json";
  Result<std::string> text =
      core::read_whole_file(path, core::state_bytes_max, core::SymlinkPolicy::followed);
  if (!text && text.error().code == ErrorCode::not_found) return UserSettings();
  if (!text) return std::move(text).error();
  return settings_of_text<UserSettings>(*text, core::path_in_sentence(path));
}

}  // namespace snapgen::tools

#include "tools/wire/common.h"

#include <algorithm>

#include "runtime/json/writer.h"
#include "tools/core/encoding.h"
#include "tools/core/path/path.h"

namespace snapgen::tools {
namespace {

// So that an answer stays below 200 tokens, with some 3 bytes to a token.
constexpr std::size_t learned_bytes_max = 130;
constexpr std::size_t one_learning_bytes_max = 64;
constexpr std::size_t reasons_bytes_max = 110;
constexpr std::size_t measured_files_max = 2000;

}  // namespace

Error as_failure(Error error, std::optional<lines::Failure> code, bool compact) {
  std::string details = "{\"compact\":" + std::string(compact ? "true" : "false");
  if (code) details += ",\"wire\":" + json::quoted(lines::text(*code));
  error.details = details + "}";
  return error;
}

Result<std::vector<std::string>> task_paths(const std::optional<std::vector<std::string>>& texts) {
  std::vector<std::string> paths;
  if (!texts) return paths;
  for (const std::string& each : *texts) {
    Result<std::string> path = core::path_from_text(each);
    if (!path) return std::move(path).error();
    paths.push_back(*std::move(path));
  }
  return paths;
}

std::string counted(std::int64_t count, std::string_view what) {
  return std::to_string(count) + " " + std::string(what) + (count == 1 ? "" : "s");
}

std::string shortened(std::string_view text, std::size_t bytes_max) {
  if (text.size() <= bytes_max) return std::string(text);
  std::string_view cut = core::cut_on_character(text, bytes_max);
  const std::size_t space = cut.rfind(' ');
  if (space != std::string_view::npos && space > bytes_max / 2) cut = cut.substr(0, space);
  return std::string(cut) + "…";
}

std::string short_snapshot(std::string_view id) {
  constexpr std::string_view prefix = "sha256:";
  constexpr std::size_t digits = 10;
  if (id.starts_with(prefix)) id.remove_prefix(prefix.size());
  return "snap_" + std::string(id.substr(0, digits));
}

Result<Measured> measure(App& app, const core::Task& task, const std::stop_token& stop) {
  Result<core::Substrate*> opened = app.substrate();
  if (!opened) return std::move(opened).error();
  core::Substrate& substrate = **opened;
  Result<core::Memory*> memory = app.memory();
  if (!memory) return std::move(memory).error();
  Result<std::vector<std::string>> dirty = core::dirty_files(substrate, stop);
  if (!dirty) return std::move(dirty).error();
  Measured found;
  found.dirty = static_cast<std::int64_t>(dirty->size());
  // The task's own come first, where there are more than are looked at.
  std::vector<std::string> paths = task.files;
  for (std::string& each : *dirty)
    if (std::find(task.files.begin(), task.files.end(), each) == task.files.end())
      paths.push_back(std::move(each));
  if (paths.size() > measured_files_max) paths.resize(measured_files_max);
  Result<core::Protection> protection = core::protection_of(substrate, paths, stop);
  if (!protection) return std::move(protection).error();
  found.protection = *std::move(protection);
  Result<std::vector<core::FileHistory>> histories = (*memory)->histories(paths);
  if (!histories) return std::move(histories).error();
  Result<core::KeptImports*> imports = app.imports();
  if (!imports) return std::move(imports).error();
  Result<Unit> updated = (*imports)->update(stop);
  if (!updated) return std::move(updated).error();
  found.risk = core::measure_risk({.paths = paths,
                                   .histories = *std::move(histories),
                                   .changed_files = found.dirty,
                                   .graph = *imports});
  Result<core::Recollection> recalled =
      (*memory)->recall({.text = task.title, .keywords = task.keywords, .files = task.files});
  if (!recalled) return std::move(recalled).error();
  found.memory = *std::move(recalled);
  return found;
}

lines::Risk shown(core::RiskLevel level) {
  switch (level) {
    case core::RiskLevel::low: return lines::Risk::low;
    case core::RiskLevel::medium: return lines::Risk::medium;
    case core::RiskLevel::high: break;
  }
  return lines::Risk::high;
}

std::string shown(const core::Recollection& memory) {
  std::string text;
  auto add = [&](const std::string& words) {
    const std::string next = (text.empty() ? "" : "; ") + shortened(words, one_learning_bytes_max);
    if (text.size() + next.size() <= learned_bytes_max) text += next;
  };
  for (const core::Recalled& each : memory.learnings) {
    const core::Learning& one = each.learning;
    add(one.trigger.empty() ? one.action : one.trigger + ": " + one.action);
  }
  for (const core::ViolationCount& each : memory.patterns)
    add("avoid " + each.type + (each.prevention.empty() ? "" : ": " + each.prevention));
  return text;
}

std::string sentence(const core::Risk& risk) {
  std::string text = risk.level == core::RiskLevel::low      ? "Low risk"
                     : risk.level == core::RiskLevel::medium ? "Medium risk"
                                                             : "High risk";
  std::string reasons;
  for (std::size_t i = 0; i < risk.reasons.size() && i < 2; ++i)
    reasons += (i == 0 ? "" : "; ") + shortened(risk.reasons[i].text, reasons_bytes_max / 2);
  return text + (reasons.empty() ? "." : " (" + reasons + ").");
}

}  // namespace snapgen::tools

#include "tools/server/listeners/ui_copy.h"

#include <cassert>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/base/text.h"
#include "runtime/json/values.h"
#include "tools/engine/base/encoding.h"
#include "tools/engine/base/hash.h"
#include "tools/engine/base/json_object.h"
#include "tools/engine/base/redact.h"
#include "tools/engine/operations/history/take_moment.h"
#include "tools/engine/text/text_encodings.h"
#include "tools/engine/workspace/workspace_parts.h"
#include "tools/server/listeners/ui_assets.h"
#include "tools/server/listeners/ui_diff.h"

namespace snapgen::tools {
namespace {

constexpr std::size_t copied_bytes_max = std::size_t{4} << 20;

// The lines of ui.html that load the style and the script.
constexpr std::string_view style_line = R"(<link rel="stylesheet" href="/ui.css">)";
constexpr std::string_view script_line = R"(<script src="/ui.js" type="module"></script>)";

std::string error_answer(const Error& error) {
  return core::JsonObject()
      .add_json("error", core::JsonObject().add("message", error.message).finish())
      .finish();
}

std::string copied_answer(Result<HistoryDiff> diff) {
  if (!diff) return error_answer(diff.error());
  for (HistoryDiffFile& each : diff->files)
    if (each.diff) core::redact_in_place(*each.diff);
  return json::to_json(*diff);
}

// Adds the member diffs, a list of answers to history_diff, each with its targets: a turn of one moment has
// the diff of the moment. Adds left_out, the first target that did not fit, if there is one.
Result<Unit> add_diffs(core::JsonObject& saved, App& app, const HistoryListed& changes,
                       const std::stop_token& stop) {
  struct Copied {
    std::string answer;
    std::vector<std::string> targets;
  };
  core::Workspace* workspace = TRY(app.workspace());
  core::MomentTaker* taker = TRY(app.history());
  const core::Timeline timeline = TRY(taker->log().read());
  core::TextEncodings encodings(core::declarations_in(root_of(*workspace)));
  std::vector<std::string> targets;
  for (const HistoryListTurn& turn : changes.turns) {
    targets.push_back(turn.turn);
    for (const HistoryListMoment& moment : turn.moments) targets.push_back(moment.moment);
  }
  std::vector<Copied> all;
  std::size_t free_bytes = copied_bytes_max;
  for (const std::string& target : targets) {
    const core::HistoryDiffQuery query{.target = target, .paths = {}};
    Result<HistoryDiff> diff = page_diff(*workspace, timeline, encodings, query, stop);
    if (!diff && stop.stop_requested()) return std::move(diff).error();
    std::string answer = copied_answer(std::move(diff));
    if (all.empty() || all.back().answer != answer) {
      if (answer.size() > free_bytes) {
        saved.add("left_out", target);
        break;
      }
      free_bytes -= answer.size();
      all.push_back({.answer = std::move(answer), .targets = {}});
    }
    all.back().targets.push_back(target);
  }
  std::string diffs;
  for (const Copied& each : all)
    diffs += (diffs.empty() ? "" : ",") +
             core::JsonObject().add_json("answer", each.answer).add("targets", each.targets).finish();
  saved.add_json("diffs", "[" + diffs + "]");
  return Unit{};
}

// Returns a source for the field Content-Security-Policy: the hash of an inline script or style.
std::string source_of(std::string_view text) {
  core::Sha256 hasher;
  hasher.update(text);
  const auto digest = hasher.digest();
  return "'sha256-" + base64({reinterpret_cast<const char*>(digest.data()), digest.size()}) + "'";
}

void replace_line(std::string& page, std::string_view line, const std::string& by) {
  const std::size_t at = page.find(line);
  assert(at != std::string::npos);
  page.replace(at, line.size(), by);
}

std::string page_with(const std::string& saved) {
  const std::string style(ui_assets::ui_css), script(ui_assets::ui_js);
  std::string data;
  // In JSON, < is in texts only. Without it, no text ends the element.
  for (const char c : saved) {
    if (c == '<')
      data += "\\u003c";
    else
      data += c;
  }
  std::string page(ui_assets::ui_html);
  replace_line(page, style_line,
               "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src " +
                   source_of(style) + "; script-src " + source_of(script) +
                   "; base-uri 'none'; form-action 'none'\">\n<style>" + style + "</style>");
  replace_line(page, script_line,
               "<script id=\"saved\" type=\"application/json\">" + data +
                   "</script>\n<script type=\"module\">" + script + "</script>");
  return page;
}

}  // namespace

Result<std::string> page_copy(App& app, const Work& work, const Result<HistoryListed>& changes,
                              const std::stop_token& stop) {
  if (!changes && changes.error().code == ErrorCode::cancelled) return changes.error();
  const std::string folder = TRY(app.workspace_folder());
  core::JsonObject saved;
  saved.add_json("changes", changes ? json::to_json(*changes) : error_answer(changes.error()));
  if (changes) TRY(add_diffs(saved, app, *changes, stop));
  saved.add_json("work", json::to_json(work)).add("workspace", core::text_of_bytes(folder));
  return page_with(saved.finish());
}

}  // namespace snapgen::tools

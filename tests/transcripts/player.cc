#include "tests/transcripts/player.h"

#include <algorithm>
#include <map>

#include "runtime/json/document.h"

namespace snapgen::transcripts {

namespace {

class Play {
 public:
  Play(const Transcript& transcript, Connection& connection)
      : transcript_(transcript), connection_(connection) {}

  Played run() {
    for (const Step& step : transcript_.steps) {
      if (step.kind != Step::Kind::expect_any_order && !finish_block()) break;
      if (!take(step)) break;
    }
    finish_block();
    if (played_.problems.empty()) finish();
    return std::move(played_);
  }

 private:
  bool take(const Step& step) {
    switch (step.kind) {
      case Step::Kind::revision: revision_ = step.text; return true;
      case Step::Kind::send:
        remember(step.text);
        connection_.send(with_states(step.text));
        return true;
      case Step::Kind::keep_state: return keep_state(step);
      case Step::Kind::end:
        ended_ = true;
        connection_.end();
        return true;
      case Step::Kind::expect_any_order: block_.push_back(&step); return true;
      case Step::Kind::expect: return expect(step);
      case Step::Kind::expect_end: break;
    }
    if (const std::optional<std::string> line = receive())
      return problem(step, "expected the end, but found " + *line);
    return true;
  }

  bool expect(const Step& step) {
    const std::optional<std::string> line = receive();
    if (!line) return problem(step, "expected a message, but the server ended");
    if (matches(step.text, *line)) return true;
    return problem(step, "expected " + step.text + "\n  but found " + *line);
  }

  bool keep_state(const Step& step) {
    if (played_.said.empty()) return problem(step, "there is no message yet");
    const json::Document last = json::parse_document(played_.said.back().message);
    const json::Node* result = last.root.find("result");
    const json::Node* state = result ? result->find("requestState") : nullptr;
    if (!state && result) state = result->find("taskId");
    if (!state) return problem(step, "the last message has no requestState and no taskId");
    states_[step.text] = state->text;
    return true;
  }

  std::string with_states(std::string sent) const {
    for (const auto& [name, state] : states_)
      for (std::size_t at = 0; (at = sent.find(name, at)) != std::string::npos; at += state.size())
        sent.replace(at, name.size(), state);
    return sent;
  }

  bool finish_block() {
    while (!block_.empty()) {
      const Step& first = *block_.front();
      const std::optional<std::string> line = receive();
      if (!line) return problem(first, "expected a message, but the server ended");
      const auto found = std::find_if(block_.begin(), block_.end(),
                                      [&](const Step* step) { return matches(step->text, *line); });
      if (found == block_.end()) return problem(first, "none of this block is " + *line);
      block_.erase(found);
    }
    return true;
  }

  // Expects that the server sends no message that is not in the transcript.
  void finish() {
    const Step& last = transcript_.steps.back();
    if (!ended_) connection_.end();
    while (const std::optional<std::string> line = receive()) problem(last, "afterwards, found " + *line);
  }

  std::optional<std::string> receive() {
    std::optional<std::string> line = connection_.receive();
    if (!line) return line;
    const json::Document document = json::parse_document(*line);
    if (!document.ok()) played_.problems.push_back("the server sent what is no JSON: " + *line);
    const json::Node* id = document.root.find("id");
    std::string method;
    if (id) method = methods_[text_of(*id)];
    played_.said.push_back({.revision = revision_, .method = method, .message = *line});
    return line;
  }

  void remember(const std::string& sent) {
    const json::Document document = json::parse_document(sent);
    if (!document.ok()) return;
    if (document.root.is(json::Kind::array))
      for (const json::Node& item : document.root.items) remember(item);
    remember(document.root);
  }
  void remember(const json::Node& message) {
    const json::Node* id = message.find("id");
    const json::Node* method = message.find("method");
    if (id && method) methods_[text_of(*id)] = method->text;
  }

  static std::string text_of(const json::Node& node) {
    std::string out;
    json::Writer writer(out);
    json::write(writer, node);
    return out;
  }

  bool problem(const Step& step, const std::string& what) {
    played_.problems.push_back("line " + std::to_string(step.line) + ": " + what);
    return false;
  }

  const Transcript& transcript_;
  Connection& connection_;
  Played played_;
  std::string revision_ = "2026-07-28";
  std::map<std::string, std::string> methods_;
  std::map<std::string, std::string> states_;
  std::vector<const Step*> block_;
  bool ended_ = false;
};

}  // namespace

Played play(const Transcript& transcript, Connection& connection) {
  return Play(transcript, connection).run();
}

}  // namespace snapgen::transcripts

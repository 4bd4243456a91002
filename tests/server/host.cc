#include "tests/server/host.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "codegen/front/resolve.h"
#include "runtime/base/environment.h"
#include "runtime/base/spawn.h"
#include "runtime/json/writer.h"
#include "tests/codegen/validate.h"
#include "tests/server/read_line.h"

namespace snapgen::tools {
namespace {

const json::Node null_node;

std::vector<codegen::SourceText> schema_texts() {
  std::string root = environment_variable("SNAPGEN_SOURCE_ROOT").value_or("");
  std::vector<codegen::SourceText> texts;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root + "/schemas")) {
    std::string path = entry.path().lexically_relative(root).generic_string();
    if (entry.path().extension() != ".json" || path.starts_with("schemas/meta") ||
        path == "schemas/profiles.json")
      continue;
    std::ifstream file(entry.path(), std::ios::binary);
    texts.push_back({.path = path, .text = std::string(std::istreambuf_iterator<char>(file), {})});
  }
  return texts;
}

codegen::Sources load_schemas(codegen::Findings& findings) {
  return codegen::parse_sources(schema_texts(), {.schemas = "schemas", .name_space = "x", .namespaces = {}},
                                findings);
}

std::string canonical(const json::Node& node) {
  std::string text;
  json::Writer out(text);
  json::write(out, node);
  return text;
}

void read_all(int fd, std::string& out) {
  char buffer[65536];
  ssize_t n;
  while ((n = ::read(fd, buffer, sizeof buffer)) > 0) out.append(buffer, static_cast<std::size_t>(n));
}

}  // namespace

Schemas::Schemas() {
  codegen::Findings findings;
  sources_ = load_schemas(findings);
  resolved_ = codegen::resolve(sources_, findings);
  checked_ = codegen::check(sources_, resolved_, findings);
  EXPECT_TRUE(findings.empty());
}

const codegen::ToolFile* Schemas::find(std::string_view safe_name) const {
  for (const codegen::ToolFile& tool : checked_.tools) {
    if (tool.safe_name == safe_name || tool.name == safe_name) return &tool;
  }
  return nullptr;
}

const json::Node& Answer::at(std::string_view path) const {
  const json::Node* node = &body;
  while (!path.empty()) {
    std::size_t slash = std::min(path.find('/'), path.size());
    std::string_view key = path.substr(0, slash);
    bool is_index =
        node->is(json::Kind::array) && key.find_first_not_of("0123456789") == std::string_view::npos;
    std::size_t index = is_index ? std::stoul(std::string(key)) : 0;
    const json::Node* next = node->find(key);
    if (is_index) next = index < node->items.size() ? &node->items[index] : nullptr;
    if (next == nullptr) {
      ADD_FAILURE() << "missing " << key << " in " << text;
      return null_node;
    }
    node = next;
    path.remove_prefix(std::min(slash + 1, path.size()));
  }
  return *node;
}

Host::Host(Start start) {
  Pipe to = make_pipe();
  Pipe from = make_pipe();
  Pipe errors = make_pipe();
  if (!to || !from || !errors) std::abort();
  const std::string program = environment_variable("SNAPGEN_BUILD_ROOT").value_or("") + "/" + start.program;
  process_ = ::fork();
  if (process_ == 0) {
    ::dup2(to.read_end.get(), 0);
    ::dup2(from.write_end.get(), 1);
    ::dup2(errors.write_end.get(), 2);
    if (!start.folder.empty() && ::chdir(start.folder.c_str()) != 0) ::_exit(126);
    start.variables.emplace("PATH", environment_variable("PATH").value_or(""));
    start.variables.emplace("HOME", "/nonexistent");
    std::vector<std::string> environment;
    for (const auto& [name, value] : start.variables) environment.push_back(name + "=" + value);
    start.arguments.insert(start.arguments.begin(), program);
    ::execve(program.c_str(), null_terminated_pointers(start.arguments).data(),
             null_terminated_pointers(environment).data());
    ::_exit(127);
  }
  to_ = std::move(to.write_end);
  from_ = std::move(from.read_end);
  errors_from_ = std::move(errors.read_end);
}

Host::~Host() {
  if (process_ >= 0) finish();
}

int Host::finish() {
  to_.reset();
  rest_ = std::move(pending_);
  read_all(from_.get(), rest_);
  read_all(errors_from_.get(), errors_);
  int status = 0;
  ::waitpid(process_, &status, 0);
  process_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::string Host::read_line() { return snapgen::read_line(from_.get(), pending_); }

void Host::initialize() {
  json::Node answer = request(
      "initialize",
      R"({"capabilities":{},"clientInfo":{"name":"test","version":"1"},"protocolVersion":"2025-11-25"})");
  EXPECT_NE(answer.find("result"), nullptr);
  std::string_view done = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n";
  EXPECT_EQ(::write(to_.get(), done.data(), done.size()), static_cast<ssize_t>(done.size()));
}

json::Node Host::request(std::string_view method, std::string_view parameters) {
  int id = next_id_++;
  std::string message = "{\"jsonrpc\":\"2.0\",\"id\":" + std::to_string(id) +
                        ",\"method\":" + json::quoted(method) + ",\"params\":" + std::string(parameters) +
                        "}\n";
  EXPECT_EQ(::write(to_.get(), message.data(), message.size()), static_cast<ssize_t>(message.size()));
  while (true) {
    std::string line = read_line();
    json::Document document = json::parse_document(line);
    if (line.empty() || !document.ok()) {
      ADD_FAILURE() << "not a protocol message on standard output: " << line;
      return {};
    }
    const json::Node* answered = document.root.find("id");
    if (answered != nullptr && answered->integer() == id) return std::move(document.root);
  }
}

Answer Host::call(std::string_view tool, std::string_view arguments) {
  std::string parameters =
      "{\"arguments\":" + std::string(arguments) + ",\"name\":" + json::quoted(tool) + "}";
  json::Node message = request("tools/call", parameters);
  Answer answer;
  const json::Node* result = message.find("result");
  const json::Node* content = result == nullptr ? nullptr : result->find("content");
  if (content == nullptr || content->items.empty()) {
    ADD_FAILURE() << "the result has no content: " << canonical(message);
    return answer;
  }
  const json::Node* is_error = result->find("isError");
  answer.is_error = is_error != nullptr && is_error->boolean;
  answer.text = content->items[0].find("text")->text;
  const codegen::ToolFile* file = schemas_.find(tool);
  if (file == nullptr) {
    ADD_FAILURE() << "no schema file for " << tool;
    return answer;
  }
  if (file->output == nullptr) {
    EXPECT_EQ(result->find("structuredContent"), nullptr)
        << tool << " answers with lines, not with structured content";
    return answer;
  }
  json::Document body = json::parse_document(answer.text);
  answer.body = std::move(body.root);

  // Guarantees of every answer.
  EXPECT_TRUE(body.ok()) << answer.text;
  EXPECT_EQ(canonical(answer.body), answer.text) << "the text must be canonical JSON";
  const json::Node* structured = result->find("structuredContent");
  EXPECT_EQ(structured != nullptr, !answer.is_error) << "only successful results have structured content";
  if (structured != nullptr) {
    EXPECT_TRUE(json::equal(*structured, answer.body)) << answer.text;
  }
  for (const codegen::Misfit& misfit : codegen::validate(*file->output, answer.body)) {
    ADD_FAILURE() << tool << " returns a result that its schema rejects, at " << misfit.pointer << ": "
                  << misfit.message << "\n"
                  << answer.text;
  }
  const json::Node* hint = answer.body.find("cache_hint");
  const json::Node* lease = answer.body.find("lease_id");
  EXPECT_EQ(hint != nullptr, !answer.is_error);
  if (hint != nullptr) {
    EXPECT_EQ(hint->text, lease == nullptr ? "immutable" : "until_dirty");
  }
  EXPECT_EQ(answer.body.find("error") != nullptr, answer.is_error);
  return answer;
}

}  // namespace snapgen::tools

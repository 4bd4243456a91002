// The compiler of plans and their evaluator on any bytes: a schema, a line of `%%`, and a value. A schema
// must give a plan or an error, the same each time. A value must be valid if and only if there are no
// violations.
#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/json/schema/evaluate.h"
#include "tests/fuzz/target.h"
#include "tests/json/compile_text.h"

namespace snapgen::json {
namespace {

void judge(std::string_view schema, std::string_view text, const PlanOptions& options) {
  const Result<std::unique_ptr<OwnedPlan>> made = compile_plan(schema, options);
  const Result<std::unique_ptr<OwnedPlan>> again = compile_plan(schema, options);
  FUZZ_EXPECT(static_cast<bool>(made) == static_cast<bool>(again));
  if (!made) {
    FUZZ_EXPECT(made.error().message == again.error().message);
    return;
  }
  FUZZ_EXPECT((*made)->steps.size() == (*again)->steps.size());
  const Tree tree(text);
  const std::vector<Violation> said = evaluate((*made)->plan(), text);
  if (!tree.problems().empty()) {
    FUZZ_EXPECT(!said.empty());
    return;
  }
  FUZZ_EXPECT(fits((*made)->plan(), tree.root()) == said.empty());
  FUZZ_EXPECT(equal(tree.root(), tree.root()));
  FUZZ_EXPECT(normal_form(tree.root()) == normal_form(parse_document(text).root));
}

}  // namespace
}  // namespace snapgen::json

FUZZ_TARGET(validate) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t line = input.find("\n%%\n");
  const std::string_view schema = input.substr(0, line);
  const std::string_view text = line == std::string_view::npos ? input : input.substr(line + 4);
  snapgen::json::judge(schema, text, {.formats_asserted = false});
  snapgen::json::judge(schema, text, {.formats_asserted = true});
  return 0;
}

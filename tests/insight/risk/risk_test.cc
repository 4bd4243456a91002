// Tests every row of the table of risks, and the points of each measure.
#include <map>

#include <gtest/gtest.h>

#include "tools/insight/analysis/impact.h"
#include "tools/insight/risk/measure.h"
#include "tools/insight/risk/rules.h"

namespace snapgen::core {
namespace {

std::string rules_met(std::string_view path) {
  std::string names;
  for (const RiskRule& rule : risk_rules())
    if (meets(rule, path)) names += (names.empty() ? "" : ",") + std::string(rule.name);
  return names;
}

TEST(RiskRules, EachMatchesItsExamples) {
  const std::map<std::string, std::vector<std::string>> rows = {
      {"secrets",
       {".env", "config/.env.production", "keys/server.pem", "deploy/id_rsa", "app/secrets.yml",
        "lib/aws_credentials.py", ".ssh/config"}},
      {"payments", {"src/payment.ts", "billing/index.py", "src/StripeClient.java", "app/checkout/cart.rb"}},
      {"authentication",
       {"auth.ts", "src/auth/index.ts", "lib/jwtVerify.go", "loginForm.tsx", "server/session.rs",
        "PasswordReset.php"}},
      {"migrations",
       {"db/migrate/001_users.rb", "app/migrations/0001_initial.py", "schema.sql", "prisma/schema.prisma"}},
      {"ci", {".github/workflows/ci.yml", ".gitlab-ci.yml", "Jenkinsfile", ".circleci/config.yml"}},
      {"deployment",
       {"Dockerfile", "infra/terraform/main.py", "main.tf", "k8s/pod.yaml", "docker-compose.yml"}},
      {"lock files", {"package-lock.json", "web/yarn.lock", "Cargo.lock", "go.sum"}},
      {"generated", {"api/user.pb.go", "dist/app.js", "src/generated/client.ts", "site.min.js"}},
  };
  std::size_t tested = 0;
  for (const RiskRule& rule : risk_rules()) {
    ASSERT_TRUE(rows.contains(std::string(rule.name))) << "no example of " << rule.name;
    for (const std::string& path : rows.at(std::string(rule.name)))
      EXPECT_EQ(rules_met(path), rule.name) << path;
    ++tested;
  }
  EXPECT_EQ(tested, rows.size());
}

TEST(RiskRules, NamesOfOrdinaryFilesMatchNoRule) {
  for (const char* path : {"author.ts",
                           "src/authors/list.py",
                           "README.md",
                           "environment.ts",
                           "keyboard.cc",
                           "lock.cc",
                           "distance.py",
                           "secretary.md",
                           "src/index.ts",
                           "monkey.py",
                           "docker.md",
                           "src/styles/tokens.css",
                           "src/crypto-icons.tsx",
                           "src/parser/token.rs",
                           "design/tokens.json",
                           "docs/payments.md",
                           "login.svg",
                           "auth/login.scss",
                           "docs/secrets.md",
                           ".env.example",
                           "config/secrets.sample.yml",
                           "docs/generated.md",
                           ""})
    EXPECT_EQ(rules_met(path), "") << path;
}

TEST(Risk, IsLowWithoutReasons) {
  const Risk risk = measure_risk({.paths = {"README.md"}, .histories = {{}}, .changed_file_count = 1});
  EXPECT_EQ(risk.level, RiskLevel::low);
  EXPECT_TRUE(risk.reasons.empty());
}

TEST(Risk, ATestDoesNotHaveTheRiskOfTheTestedCode) {
  const auto reasons = [](std::vector<std::string> paths) {
    std::string text;
    for (const RiskReason& each : measure_risk({.paths = std::move(paths), .is_test = is_test_file}).reasons)
      text += each.text + ";";
    return text;
  };
  EXPECT_EQ(reasons({"tests/test_refund.py"}), "");
  EXPECT_EQ(reasons({"src/auth/login.test.ts"}), "");
  EXPECT_EQ(reasons({"tests/test_refund.py", "shop/refund.py"}), "shop/refund.py: payments;");
  // A key in the source of a test may be a real one.
  EXPECT_EQ(reasons({"tests/server.pem"}), "tests/server.pem: secrets;");
}

TEST(Risk, NamesTheHeaviestReasonsFirst) {
  const Risk risk = measure_risk({.paths = {"yarn.lock", "src/auth.ts"},
                                  .histories = {{}, {.violation_count = 2}},
                                  .changed_file_count = 20});
  EXPECT_EQ(risk.level, RiskLevel::high);
  ASSERT_EQ(risk.reasons.size(), 4U);
  EXPECT_EQ(risk.reasons[0].text, "src/auth.ts: authentication");
  EXPECT_EQ(risk.reasons[1].text, "src/auth.ts: 2 violations before");
  EXPECT_EQ(risk.points, 3 + 2 + 1 + 1);
  EXPECT_EQ(measure_risk({.paths = {"auth.ts"}}).level, RiskLevel::medium);
  EXPECT_EQ(measure_risk({.paths = {".env"}}).level, RiskLevel::high);
}

TEST(Risk, CountsSizeHistoryAndDependents) {
  EXPECT_EQ(measure_risk({.changed_file_count = 14}).points, 0);
  EXPECT_EQ(measure_risk({.changed_file_count = 15}).points, 1);
  EXPECT_EQ(measure_risk({.changed_file_count = 50}).points, 3);
  EXPECT_EQ(measure_risk({.changed_file_count = 200}).points, 4);
  EXPECT_EQ(measure_risk({.paths = {"a"}, .histories = {{.violation_count = 1}}}).points, 1);
  EXPECT_EQ(measure_risk({.paths = {"a"}, .histories = {{.violation_count = 5}}}).points, 3);
  EXPECT_EQ(measure_risk({.paths = {"a"}, .histories = {{.revert_count = 1}}}).points, 2);
  EXPECT_EQ(measure_risk({.paths = {"a"}, .histories = {{.revert_count = 3}}}).reasons[0].text,
            "a: restored 3 times before");
  class Graph final : public DependentCounter {
   public:
    std::optional<std::int64_t> count_dependents(std::string_view path) override {
      if (path == "hub") return 30;
      return std::nullopt;
    }
  } graph;
  const Risk risk = measure_risk({.paths = {"leaf", "hub"}, .graph = &graph});
  ASSERT_EQ(risk.reasons.size(), 1U);
  EXPECT_EQ(risk.reasons[0], (RiskReason{.text = "hub: 30 files depend on it", .points = 3}));
}

}  // namespace
}  // namespace snapgen::core

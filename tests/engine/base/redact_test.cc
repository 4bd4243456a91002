// Secrets of known services are removed from stored texts, and texts that only look similar remain.
#include "tools/engine/base/redact.h"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace snapgen::core {
namespace {

// Returns `size` characters, with digits and letters of the alphabet in turn.
std::string filler(std::size_t size, std::string_view alphabet = "a1B2c3D4e5F6g7H8") {
  std::string text;
  while (text.size() < size) text += alphabet[text.size() % alphabet.size()];
  return text;
}
std::string hex_digits(std::size_t size) { return filler(size, "0a1b2c3d4e5f6789"); }
std::string capitals(std::size_t size) { return filler(size, "A1B2C3D4E5F6"); }

// A secret is assembled from its parts, so that no scanner reports this file.
struct Kind {
  std::string name;
  std::string secret;
};

std::vector<Kind> kinds() {
  return {
      {"AWS key id", "AKIA" + capitals(16)},
      {"AWS temporary key id", "ASIA" + capitals(16)},
      {"GitHub personal token", "ghp_" + filler(36)},
      {"GitHub OAuth token", "gho_" + filler(36)},
      {"GitHub user token", "ghu_" + filler(36)},
      {"GitHub server token", "ghs_" + filler(36)},
      {"GitHub refresh token", "ghr_" + filler(36)},
      {"GitHub fine-grained token", "github_pat_" + filler(22) + "_" + filler(59)},
      {"GitLab token", "glpat-" + filler(20)},
      {"Slack bot token", "xoxb-" + filler(12, "0123456789") + "-" + filler(24)},
      {"Slack user token", "xoxp-" + filler(12, "0123456789") + "-" + filler(24)},
      {"Slack app token", "xapp-1-" + filler(40)},
      {"Stripe secret key", "sk_live_" + filler(24)},
      {"Stripe restricted key", "rk_live_" + filler(24)},
      {"OpenAI key", "sk-" + filler(48)},
      {"OpenAI project key", "sk-proj-" + filler(48)},
      {"Anthropic key", "sk-ant-api03-" + filler(80)},
      {"Google API key", "AIza" + filler(35)},
      {"Google OAuth token", "ya29." + filler(60)},
      {"Google client secret", "GOCSPX-" + filler(28)},
      {"npm token", "npm_" + filler(36)},
      {"PyPI token", "pypi-" + filler(80)},
      {"Twilio key", "SK" + hex_digits(32)},
      {"SendGrid key", "SG." + filler(22) + "." + filler(43)},
      {"DigitalOcean token", "dop_v1_" + hex_digits(64)},
      {"Hugging Face token", "hf_" + filler(34)},
      {"Shopify token", "shpat_" + hex_digits(32)},
      {"Telegram bot token", "123456789:AA" + filler(33)},
      {"Discord bot token", "M" + filler(23) + "." + filler(6) + "." + filler(30)},
      {"Docker token", "dckr_pat_" + filler(27)},
      {"Databricks token", "dapi" + hex_digits(32)},
      {"age secret key", "AGE-SECRET-KEY-1" + capitals(58)},
      {"Vault token", "hvs." + filler(90)},
      {"JSON web token", "eyJ" + filler(17) + ".eyJ" + filler(40) + "." + filler(43)},
      {"private key", std::string("-----BEGIN ") + "EC PRIVATE KEY-----\nabc\n-----END EC PRIVATE KEY-----"},
  };
}

TEST(RedactKinds, EachSecretIsRemovedWhereverItIs) {
  EXPECT_GE(kinds().size(), 25U);
  for (const auto& [name, secret] : kinds())
    for (const auto& [before, after] : std::vector<std::pair<std::string, std::string>>{
             {"", ""}, {"use ", " for it"}, {"(", ")."}, {"\"", "\","}, {"x=", ";"}, {"try\n", "\n"}})
      EXPECT_EQ(redact(before + secret + after), before + "[redacted]" + after) << name;
}

TEST(RedactKinds, SecretsThatTheirContextNames) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"aws_secret_access_key = " + filler(40), "aws_secret_access_key = [redacted]"},
      {"AccountKey=" + filler(86) + "==;EndpointSuffix=x", "AccountKey=[redacted];EndpointSuffix=x"},
      {"Authorization: Basic dXNlcjpwYXNz", "Authorization: Basic [redacted]"},
      {"curl -H 'Authorization: Bearer abc123'", "curl -H 'Authorization: Bearer [redacted]'"},
      {"postgres://me:hunter@db/x", "postgres://[redacted]@db/x"},
      {"https://hooks.slack.com/services/T0/B0/x1 ok", "https://hooks.slack.com/services/[redacted] ok"},
      {"https://discord.com/api/webhooks/1/ab", "https://discord.com/api/webhooks/[redacted]"},
      {"PASSWORD=hunter", "PASSWORD=[redacted]"},
      {"client_secret: 'hunter'", "client_secret: '[redacted]'"},
      {"password: hunter2", "password: [redacted]"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(redact(text), expected) << text;
}

TEST(RedactKinds, SimilarTextsRemain) {
  const std::vector<std::string> texts = {
      hex_digits(40),              // an object id of git
      "sha256:" + hex_digits(64),  // a snapshot id
      "snap_" + hex_digits(10),    // its alias
      "lease_mot3wtpoabcd2345",
      "task_4mlqrf63 and learn_waw6taeq",
      "550e8400-e29b-41d4-a716-446655440000",            // a UUID
      "\"integrity\": \"sha512-" + filler(86) + "==\"",  // a lock file
      "data:image/png;base64,iVBORw0KGgoAAAANSUhEUg" + filler(60) + "==",
      "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5" + filler(44),  // a public key
      "-----BEGIN CERTIFICATE-----",
      "sk-learn, sk-toolbar-container-element and risk-based",
      "npm_config_registry, npm_lifecycle_event and hf_transfer",
      "AKIA is the prefix",
      "task-sk_live_mode",
      "SKIP_" + capitals(32),
      "dapi_version",
      "token: string;",
      "const token = reader.next();",
      "password: Password",
      "f(token=token)",
      "parse(secret=None)",
      "the token: see below",
      "secret = getenv(\"SECRET\")",
      "Bearer tokens are long",
      "Basic authorization, Basic usage",
      "token=${TOKEN}",
      "password={{ password }}",
      "if (token == \"=\")",
      "git+ssh://git@example.org/a.git",
      "\"progressToken\": 12",
      "\"js-tiktoken\": \"^1.0.20\"",
      "a bearer token.",
      "\"hooks.slack.com/services/\"",
      "headers.authorization = `Bearer ${tokens.access}`",
      "mongodb://${user}:${key}@host",
      "https://example.org/a@b",
      "1:AAA",
      "12:30:45",
      "v1.2.3",
      "eyJust.a.word",
  };
  for (const std::string& text : texts) EXPECT_EQ(redact(text), text);
}

}  // namespace
}  // namespace snapgen::core

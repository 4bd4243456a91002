#include "tools/engine/git/status/renames.h"

#include <algorithm>
#include <map>
#include <set>

#include "tools/engine/base/common_errors.h"
#include "tools/engine/base/encoding.h"
#include "tools/engine/files/path.h"
#include "tools/engine/git/status/similarity.h"

namespace snapgen::core::git {
namespace {

constexpr std::size_t none = static_cast<std::size_t>(-1);
constexpr int candidates_max = 100;         // Git compares no more sources with the same content.
constexpr std::size_t kept_per_target = 4;  // Git retains this many sources for each target.

// A deleted file (a source) or an added file (a target).
struct File {
  const IndexChange* change = nullptr;
  Oid oid;
  bool regular = false;
  bool loaded = false;
  std::uint64_t size = 0;
  ContentPieces pieces;
};

class Pairing {
 public:
  Pairing(Repository::State& state, const Settings& settings, Attributes& attributes, std::stop_token stop)
      : state_(state), settings_(settings), attributes_(attributes), stop_(std::move(stop)) {}

  void add_source(const IndexChange& change) {
    sources_.push_back({.change = &change, .oid = change.old_oid, .regular = is_regular(change.old_mode)});
  }
  void add_target(const IndexChange& change) {
    targets_.push_back({.change = &change, .oid = change.new_oid, .regular = is_regular(change.new_mode)});
  }

  // Returns for each target the source it was renamed from, or null.
  Result<std::vector<const IndexChange*>> run(std::string& fallback_reason) {
    pair_identical();
    exact_ = source_of_;
    exact_used_ = used_;
    TRY(pair_similar(LastPiece::left_out));
    const std::vector<std::size_t> older = source_of_;
    if (last_piece_seen_) {
      source_of_ = exact_;
      used_ = exact_used_;
      TRY(pair_similar(LastPiece::counted));
      if (older != source_of_) fallback_reason = "versions of git pair these renames differently";
    }
    if (crlf_with_driver_) fallback_reason = "a diff attribute bears on a rename";
    std::vector<const IndexChange*> out;
    for (const std::size_t source : source_of_)
      out.push_back(source == none ? nullptr : sources_[source].change);
    return out;
  }

 private:
  void pair(std::size_t target, std::size_t source) {
    source_of_[target] = source;
    used_[source] = true;
  }

  // Each target takes an unused source with identical content: one with the same base name if there is one,
  // otherwise the first in order.
  void pair_identical() {
    source_of_.assign(targets_.size(), none);
    used_.assign(sources_.size(), false);
    std::map<Oid, std::vector<std::size_t>> by_content;
    for (std::size_t i = 0; i < sources_.size(); ++i) by_content[sources_[i].oid].push_back(i);
    for (std::size_t target = 0; target < targets_.size(); ++target) {
      const auto found = by_content.find(targets_[target].oid);
      if (found == by_content.end()) continue;
      const IndexChange& added = *targets_[target].change;
      std::size_t best = none;
      int left = candidates_max;
      for (const std::size_t source : found->second) {
        const IndexChange& deleted = *sources_[source].change;
        const bool both_regular = sources_[source].regular && targets_[target].regular;
        if ((!both_regular && deleted.old_mode != added.new_mode) || used_[source]) continue;
        const bool same_name = base_name(deleted.path) == base_name(added.path);
        if (best == none || same_name) best = source;
        if (same_name || --left == 0) break;
      }
      if (best != none) pair(target, best);
    }
  }

  Result<Unit> pair_similar(LastPiece last) {
    TRY(pair_by_base_name(last));
    std::vector<std::size_t> sources;
    std::vector<std::size_t> targets;
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      if (!used_[i]) sources.push_back(i);
    }
    for (std::size_t i = 0; i < targets_.size(); ++i) {
      if (source_of_[i] == none) targets.push_back(i);
    }
    const auto limit = static_cast<std::uint64_t>(settings_.rename_limit);
    if (limit > 0 && std::uint64_t{sources.size()} * targets.size() > limit * limit) return Unit{};
    return pair_by_score(sources, targets, last);
  }

  // Pairs a source and a target that are the only ones with their base name, if they are similar enough.
  Result<Unit> pair_by_base_name(LastPiece last) {
    constexpr std::size_t several = none - 1;
    std::map<std::string_view, std::size_t> sources;
    std::map<std::string_view, std::size_t> targets;
    const auto note = [](auto& names, std::string_view name, std::size_t i) {
      const auto [entry, fresh] = names.try_emplace(name, i);
      if (!fresh) entry->second = several;
    };
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      if (!used_[i]) note(sources, base_name(sources_[i].change->path), i);
    }
    for (std::size_t i = 0; i < targets_.size(); ++i) {
      if (source_of_[i] == none) note(targets, base_name(targets_[i].change->path), i);
    }
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      if (used_[i]) continue;
      const std::string_view name = base_name(sources_[i].change->path);
      const auto target = targets.find(name);
      if (target == targets.end() || target->second == several || sources.at(name) == several) continue;
      const int score = TRY(score_of(i, target->second, base_name_score_min, last));
      if (score >= base_name_score_min) pair(target->second, i);
    }
    return Unit{};
  }

  struct Candidate {
    std::size_t source = none;
    std::size_t target = none;
    int score = 0;
    bool same_name = false;
    std::size_t order = 0;  // Breaks ties: the order of discovery.
  };

  // Orders by similarity, then by an equal base name; unused candidates are last.
  static bool better(const Candidate& a, const Candidate& b) {
    if (a.target == none || b.target == none) return a.target != none && b.target == none;
    if (a.score != b.score) return a.score > b.score;
    return a.same_name && !b.same_name;
  }

  Result<Unit> pair_by_score(const std::vector<std::size_t>& sources, const std::vector<std::size_t>& targets,
                             LastPiece last) {
    std::vector<Candidate> all;
    for (const std::size_t target : targets) {
      Candidate best[kept_per_target];
      for (const std::size_t source : sources) {
        const int score = TRY(score_of(source, target, rename_score_min, last));
        const bool same_name =
            base_name(sources_[source].change->path) == base_name(targets_[target].change->path);
        const Candidate candidate{.source = source, .target = target, .score = score, .same_name = same_name};
        Candidate* worst = best;
        for (Candidate& other : best) {
          if (better(*worst, other)) worst = &other;
        }
        if (better(candidate, *worst)) *worst = candidate;
      }
      for (Candidate& candidate : best) {
        candidate.order = all.size();
        all.push_back(candidate);
      }
    }
    std::sort(all.begin(), all.end(), [](const Candidate& a, const Candidate& b) {
      return better(a, b) || (!better(b, a) && a.order < b.order);
    });
    for (const Candidate& candidate : all) {
      if (candidate.target == none || candidate.score < rename_score_min) break;
      if (source_of_[candidate.target] == none && !used_[candidate.source])
        pair(candidate.target, candidate.source);
    }
    return Unit{};
  }

  Result<int> score_of(std::size_t source, std::size_t target, int score_min, LastPiece last) {
    File& from = sources_[source];
    File& to = targets_[target];
    if (!from.regular || !to.regular) return 0;
    if (stop_.stop_requested()) return cancelled_call_error();
    for (File* file : {&from, &to}) {
      const bool loaded = TRY(load(*file));
      if (!loaded) return 0;
    }
    if (!sizes_allow_score(from.size, to.size, score_min)) return 0;
    return similarity_score(ContentPieces::common_bytes(from.pieces, to.pieces, last), from.size, to.size);
  }

  // Reads a blob and cuts it into pieces. Returns false if it cannot be read.
  Result<bool> load(File& file) {
    if (file.loaded) return file.regular;
    file.loaded = true;
    std::optional<ObjectDatabase::Object> blob = TRY(read_object(state_, file.oid));
    if (!blob) {
      file.regular = false;
      return false;
    }
    const std::string& content = blob->content;
    if (content.find("\r\n") != std::string::npos) {
      AttributeValue driver = TRY(attributes_.value(file.change->path, "diff"));
      crlf_with_driver_ |= driver.kind != AttributeValue::Kind::unspecified;
    }
    file.size = content.size();
    file.pieces = ContentPieces(content, !looks_binary(content));
    last_piece_seen_ |= file.pieces.has_last_piece();
    return true;
  }

  Repository::State& state_;
  const Settings& settings_;
  Attributes& attributes_;
  const std::stop_token stop_;
  std::vector<File> sources_;
  std::vector<File> targets_;
  std::vector<std::size_t> source_of_;  // The source of each target.
  std::vector<bool> used_;              // Whether each source has a target.
  std::vector<std::size_t> exact_;
  std::vector<bool> exact_used_;
  bool last_piece_seen_ = false;
  bool crlf_with_driver_ = false;
};

}  // namespace

Result<Unit> detect_renames(Repository::State& state, const Settings& settings, Attributes& attributes,
                            bool born, const std::vector<WorktreeChange>& unstaged, std::stop_token stop,
                            IndexChanges& staged, std::string& fallback_reason) {
  if (settings.renames == Renames::off) return Unit{};
  const auto has = [&](char letter) {
    return std::any_of(unstaged.begin(), unstaged.end(),
                       [&](const WorktreeChange& change) { return change.letter == letter; });
  };
  const bool copies = settings.renames == Renames::copies;
  if (has('A') && (has('D') || copies)) fallback_reason = "the work tree may contain a rename";
  if (!born || !fallback_reason.empty()) return Unit{};

  Pairing pairing(state, settings, attributes, std::move(stop));
  std::vector<IndexChange*> added;
  bool deleted = false;
  for (IndexChange& change : staged.changes) {
    if (change.letter == 'A') {
      added.push_back(&change);
      pairing.add_target(change);
    } else if (change.letter == 'D') {
      deleted = true;
      pairing.add_source(change);
    }
  }
  if (copies && !added.empty()) fallback_reason = "copies are requested";
  if (!deleted || added.empty() || !fallback_reason.empty()) return Unit{};
  if (attributes.format().kind != HashKind::sha1) fallback_reason = "renames in a SHA-256 repository";
  if (attributes.format().partial_clone) fallback_reason = "a rename may need objects that git would fetch";
  if (!fallback_reason.empty()) return Unit{};
  std::vector<const IndexChange*> sources = TRY(pairing.run(fallback_reason));
  for (std::size_t i = 0; i < added.size(); ++i) {
    const IndexChange* const source = sources[i];
    if (source == nullptr) continue;
    added[i]->letter = 'R';
    added[i]->from = source->path;
  }
  const std::set<const IndexChange*> used(sources.begin(), sources.end());
  std::vector<IndexChange> remaining;
  for (IndexChange& change : staged.changes) {
    if (!used.contains(&change)) remaining.push_back(std::move(change));
  }
  staged.changes = std::move(remaining);
  return Unit{};
}

}  // namespace snapgen::core::git

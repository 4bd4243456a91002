#include "tests/engine/git/random_walk.h"

#include <cstdlib>

#include "tests/soak/soak.h"

namespace snapgen::core {

std::string RandomWalk::step() {
  switch (below(41)) {
    case 0:
    case 1:
    case 2:
    case 3: {
      const std::string file = path();
      return "[ -p " + file + " ] || put " + file + " " +
             content();  // Writing into a FIFO would wait forever.
    }
    case 4: {
      const std::string file = path();
      return "[ -p " + file + " ] || echo more >> " + file;
    }
    case 5: return "rm -rf " + path();
    case 6: return "mkdir -p " + path();
    case 7: return "mv -T " + path() + " " + path();
    case 8: return "rm -rf " + path() + "; ln -sfn " + name() + " " + path();
    case 9: return "chmod +x " + path();
    case 10: return "chmod -x " + path();
    case 11: return "touch -h -d 20" + std::to_string(10 + below(20)) + "-01-01 " + path();
    case 12: return "touch -h -d 2020-01-01 " + path() + "; touch -d 2020-01-01 .git/index";
    case 13:
    case 14: return "git add " + path();
    case 15: return "git add -A";
    case 16: return "git add -N " + path();
    case 17: return "git rm -rq --cached " + path();
    case 18: return "git mv " + path() + " " + path();
    case 19:
    case 20: return "git commit -qm step";
    case 21: return "git commit -qam step";
    case 22: return "git reset -q -- " + path();
    case 23: return "git checkout -q -- " + path();
    case 24: return "printf '" + rule() + "\\n" + rule() + "\\n' > " + folder() + ".gitignore";
    case 25: return "printf '" + rule() + "\\n' > .git/info/exclude";
    case 26: return "git update-index --" + flag() + " " + path();
    case 27: return "mkdir -p " + path() + " && (cd " + path() + " && new && echo x > x)";
    case 28: return "printf '" + attribute() + "\\n' > " + folder() + ".gitattributes";
    case 29: return "git config " + setting();
    case 30:
      return "git checkout -q -b side" + std::to_string(below(1000)) + "; git commit -q --allow-empty -m x";
    case 31: return "git merge -q " + std::string(below(2) ? "main" : "side") + " >/dev/null 2>&1";
    case 32: return "mkfifo " + path();
    case 33: return "git sparse-checkout set --cone d";
    case 34: return "git sparse-checkout set --cone --sparse-index d/e";
    case 35: return "git sparse-checkout disable";
    case 36: return "git pack-refs --all";
    case 37: return "git gc -q";
    case 38: return "git read-tree " + std::string(below(2) ? "HEAD" : "-m HEAD");
    case 39: return "git update-index -q --refresh";
    default: return "git stash -q; git stash pop -q";
  }
}

std::string RandomWalk::name() {
  return any({"a", "b", "c", "a-b", "a.c", "a0", "x.o", "'s p'", "caf\xc3\xa9", "d", "e"});
}

std::string RandomWalk::folder() { return any({"", "", "d/", "d/e/"}); }

std::string RandomWalk::path() {
  return any({"a",   "b",   "c",     "a-b",     "a.c",         "a0",    "a/x",
              "a/y", "d",   "d/x",   "d/y.o",   "d/e",         "d/e/z", "d/e/x.o",
              "e",   "e/x", "'s p'", "'s p/q'", "caf\xc3\xa9", "x.o",   "l"});
}

std::string RandomWalk::content() {
  return any({"1", "2", "3", "''", "11", "\"$(seq 1 20)\"", "\"$(seq 1 15)\"", "\"$(seq 5 25)\"",
              "\"$(printf 'a\\r\\nb\\r\\n')\"", "\"$(printf 'a\\nb\\n')\"", "'$Id: x $'"});
}

std::string RandomWalk::rule() {
  return any({"*.o", "d/", "/a", "!x.o", "*", "!d", "e/*", "**/z", "a*", "!/a", "d/e", "[ab]", "s p", "l"});
}

std::string RandomWalk::attribute() {
  return any({"* text=auto", "*.o -text", "a text", "* text eol=crlf", "*.c ident", "a* binary", "* !text"});
}

std::string RandomWalk::flag() {
  return any({"assume-unchanged", "no-assume-unchanged", "skip-worktree", "no-skip-worktree", "chmod=+x",
              "force-remove", "really-refresh", "index-version 4", "split-index", "no-split-index"});
}

std::string RandomWalk::setting() {
  return any({"status.showUntrackedFiles all", "status.showUntrackedFiles normal",
              "status.showUntrackedFiles no", "status.renames false", "status.renames true",
              "status.renames copies", "core.fileMode false", "core.fileMode true", "core.autocrlf true",
              "core.autocrlf false", "core.trustctime false", "core.checkStat minimal",
              "core.checkStat default", "diff.renameLimit 1", "diff.renameLimit 0"});
}

std::vector<unsigned> walk_seeds() {
  unsigned first = 1;
  unsigned last = is_soak() ? 6 : 2;
  if (const char* const asked = std::getenv("SNAPGEN_GIT_SEEDS")) {
    const std::string text = asked;
    first = static_cast<unsigned>(std::atoi(text.c_str()));
    const std::size_t dash = text.find('-');
    last = dash == std::string::npos ? first : static_cast<unsigned>(std::atoi(text.c_str() + dash + 1));
  }
  std::vector<unsigned> out;
  for (unsigned seed = first; seed <= last; ++seed) out.push_back(seed);
  return out;
}

int walk_steps() {
  const char* const asked = std::getenv("SNAPGEN_GIT_STEPS");
  return asked != nullptr ? std::atoi(asked) : 30;
}

}  // namespace snapgen::core

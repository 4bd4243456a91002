// Untracked files, ignore rules and nested repositories.
#include "tests/engine/git/scenarios.h"

namespace snapgen::core {

std::vector<Scenario> untracked_scenarios() {
  return {
      {"an untracked file", By::own, "new; put a 1; save; put b 1"},
      {"an untracked folder collapses", By::own, "new; put a 1; save; put d/x 1; put d/e/y 1"},
      {"an untracked file in a tracked folder", By::own, "new; put d/a 1; save; put d/b 1; put d/e/c 1"},
      {"empty folders", By::own, "new; put a 1; save; mkdir -p e f/g"},
      {"a folder of FIFOs", By::own, "new; put a 1; save; mkdir d; mkfifo d/f f"},
      {"untracked symlinks", By::own, "new; put a 1; save; ln -s a l; ln -s none m; mkdir d; ln -s .. d/up"},
      {"showUntrackedFiles all", By::own,
       "new; git config status.showUntrackedFiles all; put a 1; save; put d/x 1; put d/e/y 1; mkdir f; put b "
       "1"},
      {"showUntrackedFiles no", By::own,
       "new; git config status.showUntrackedFiles no; put a 1; save; put d/x 1; put a 22"},
      {"showUntrackedFiles all with a file replaced by a folder", By::own,
       "new; git config status.showUntrackedFiles all; put a.txt 1; save; rm a.txt; put a.txt/x 1; put "
       "a.txt/y/z 1"},
      {"an ignored file", By::own, "new; put .gitignore '*.o\n'; put a 1; save; put x.o 1; put y.c 1"},
      {"an ignored folder", By::own,
       "new; put .gitignore 'out/\n'; put a 1; save; put out/x 1; put d/out/y 1; put e/out 1"},
      {"a folder with only ignored files", By::own,
       "new; put .gitignore '*.o\n'; save; put d/x.o 1; put d/e/y.o 1"},
      {"a folder with ignored files and another file", By::own,
       "new; put .gitignore '*.o\n'; save; put d/x.o 1; put d/e/y 1"},
      {"a rule with a leading slash", By::own, "new; put .gitignore '/x\n'; save; put x 1; put d/x 1"},
      {"a rule with a slash in it", By::own,
       "new; put .gitignore 'd/x\n'; save; put d/x 1; put e/d/x 1; put d/y 1"},
      {"a negated rule", By::own,
       "new; put .gitignore '*.o\n!keep.o\n'; save; put a.o 1; put keep.o 1; put d/keep.o 1"},
      {"a negated rule below an ignored folder", By::own,
       "new; put .gitignore 'd\n!d/keep\n'; save; put d/keep 1; put d/x 1"},
      {"all files ignored except some", By::own,
       "new; put .gitignore '/*\n!/src\n!.gitignore\n'; put src/a 1; git add -f .; git commit -qm x; put b "
       "1; put src/b 1"},
      {"a .gitignore that ignores everything", By::own,
       "new; put .gitignore '*\n'; put a 1; git add -f .; git commit -qm x; put b 1; put d/c 1"},
      {"nested .gitignore files", By::own,
       "new; put .gitignore '*.o\n'; put d/.gitignore '!*.o\n*.c\n'; put d/e/.gitignore '*.o\n'; save; "
       "for f in a.o a.c d/a.o d/a.c d/e/a.o d/e/a.c d/e/a.h; do put $f 1; done"},
      {"an untracked folder with a .gitignore file", By::own,
       "new; put a 1; save; put d/.gitignore '*\n'; put d/x 1; put e/.gitignore 'x\n'; put e/x 1"},
      {"info exclude", By::own, "new; put a 1; save; printf 'x*\\n' > .git/info/exclude; put x1 1; put y1 1"},
      {"core.excludesFile", By::own,
       "new; put a 1; save; printf 'x*\\n' > ../home/rules; git config core.excludesFile '~/rules'; put x1 "
       "1; put y1 1"},
      {"the user's default ignore file", By::own,
       "new; put a 1; save; mkdir -p ../home/.config/git; printf 'x*\\n' > ../home/.config/git/ignore; put "
       "x1 1; put y1 1"},
      {"a .gitignore overrides info exclude", By::own,
       "new; put .gitignore '!x1\n'; save; printf 'x*\\n' > .git/info/exclude; put x1 1; put x2 1"},
      {"info exclude overrides core.excludesFile", By::own,
       "new; put a 1; save; printf 'x*\\n' > ../rules; git config core.excludesFile ../rules; "
       "printf '!x1\\n' > .git/info/exclude; put x1 1; put x2 1"},
      {"rules with trailing spaces", By::own,
       "new; printf 'a  \\nb\\\\ \\nc\\\\  \\n' > .gitignore; git add .; git commit -qm x; put a 1; put 'b ' "
       "1; put b 1; put 'c ' 1; put c 1"},
      {"rules with carriage returns", By::own,
       "new; printf 'a\\r\\n*.o\\r\\n\\r\\n' > .gitignore; save; put a 1; put x.o 1; put b 1"},
      {"rules with a byte order mark", By::own,
       "new; printf '\\357\\273\\277a\\n' > .gitignore; save; put a 1; put b 1"},
      {"rules without a last line break", By::own,
       "new; printf 'a\\nb' > .gitignore; save; put a 1; put b 1; put c 1"},
      {"rules with NUL bytes", By::own,
       "new; printf 'a\\0b\\nc\\n' > .gitignore; save; put a 1; put ab 1; put c 1"},
      {"comments and escaped special characters in rules", By::own,
       "new; printf '#a\\n\\\\#b\\n\\\\!c\\n' > .gitignore; save; put '#a' 1; put '#b' 1; put '!c' 1"},
      {"bracket rules", By::own,
       "new; printf '[a-c]x\\n[!a]y\\n[[:digit:]]z\\n[]-]w\\n[\\\\]]v\\n' > .gitignore; save; for f in ax dx "
       "ay by 1z az ']w' "
       "-w ']v' av; do put \"$f\" 1; done"},
      {"double star rules", By::own,
       "new; printf '**/foo\\na/**/b\\nc/**\\nx**y\\nd**/e\\n' > .gitignore; save; for f in foo p/foo/q a/b "
       "a/q/b a/q/r/b "
       "c/z c/y/z xqy x/q/y dq/e d/q/e; do put $f 1 2>/dev/null || true; done"},
      {"a tracked file that is ignored", By::own,
       "new; put a.o 1; save; put .gitignore '*.o\n'; put a.o 22; put b.o 1"},
      {"tracked files in an ignored folder", By::own,
       "new; put d/a 1; save; put .gitignore 'd/\n'; git add .gitignore; put d/b 1; put d/a 22"},
      {"a symlinked .gitignore", By::own,
       "new; put a 1; save; printf 'x\\n' > ../rules; ln -s ../rules .gitignore; put x 1"},
      {"a .gitignore that is a folder", By::own,
       "new; put a 1; save; mkdir .gitignore; put x 1; put .gitignore/y 1"},
      {"a nested repository with commits", By::own,
       "new; put a 1; save; mkdir n; (cd n; new; put x 1; save)"},
      {"a nested repository without commits", By::own, "new; put a 1; save; mkdir n; (cd n; new)"},
      {"a nested repository two levels down", By::own,
       "new; put a 1; save; mkdir -p d/n; (cd d/n; new; put x 1)"},
      {"a nested repository in a tracked folder", By::own,
       "new; put d/a 1; save; mkdir -p d/n; (cd d/n; new; put x 1)"},
      {"a nested repository with showUntrackedFiles all", By::own,
       "new; git config status.showUntrackedFiles all; put a 1; save; mkdir -p d/n; (cd d/n; new; put x 1); "
       "put d/y 1"},
      {"an ignored nested repository", By::own,
       "new; put .gitignore 'n\n'; save; mkdir n; (cd n; new; put x 1)"},
      {"an invalid .git file", By::own, "new; put a 1; save; put n/.git nonsense; put n/x 1"},
      {"a .git file that names a missing folder", By::own,
       "new; put a 1; save; put n/.git 'gitdir: /nowhere'; put n/x 1"},
      {"an empty .git folder inside", By::own,
       "new; put a 1; save; mkdir -p n/.git; put n/x 1; mkdir -p m/.git"},
      {"a bare repository inside", By::own, "new; put a 1; save; git init -q --bare b.git"},
      {"a linked work tree inside", By::own, "new; put a 1; save; git worktree add -q w -b side"},
      {"an ignored file in the index is not untracked when removed", By::own,
       "new; put .gitignore '*.o\n'; put a.o 1; git add -f .; git commit -qm x; git rm -q --cached a.o"},
      {"hundreds of untracked files", By::own, "new; put a 1; save; for i in $(seq 300); do : > u$i; done"},
      {"the untracked cache", By::own,
       "new; git config core.untrackedCache true; put a 1; put d/b 1; save; put d/x 1; git status "
       ">/dev/null; put d/y 1; put z 1"},
  };
}

}  // namespace snapgen::core

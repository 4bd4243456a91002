// Tracked files that differ between HEAD, the index and the work tree.
#include "tests/engine/git/scenarios.h"

namespace snapgen::core {

std::vector<Scenario> change_scenarios() {
  return {
      {"a clean repository", By::own, "new; put a 1; put d/b 2; save"},
      {"a clean repository with old files", By::own,
       "new; put a 1; put d/b 2; age; save; touch -d 2021-01-01 .git/index"},
      {"an empty repository", By::own, "new"},
      {"an empty commit", By::own, "new; git commit -q --allow-empty -m none"},
      {"an unborn branch with staged files", By::own, "new; put a 1; put d/b 2; git add ."},
      {"an unborn branch with a staged file that was edited and one deleted", By::own,
       "new; put a 1; put b 2; put c 3; git add .; put a changed; rm b"},
      {"a modified file", By::own, "new; put a 1; put b 2; save; put a 12"},
      {"a file modified twice", By::own, "new; put a 1; save; put a 12; put a 123"},
      {"a modified file of the same size and time", By::any,
       "new; put a 1; touch -d 2020-01-01 a; save; printf 2 > a; touch -d 2020-01-01 a"},
      {"a racy file of the same size and the same forced time", By::own,
       "new; put a 1; touch -d 2020-01-01 a; git add a; touch -d 2020-01-01 .git/index; printf 2 > a; "
       "touch -d 2020-01-01 a"},
      {"a racy file that did not change", By::own,
       "new; put a 1; touch -d 2020-01-01 a; save; touch -d 2020-01-01 .git/index"},
      {"a file rewritten with the same size right after it was added", By::own,
       "new; put a 1; git add a; put a 2"},
      {"a file whose time alone changed", By::own, "new; put a 1; put b 2; save; touch -d 2019-01-01 a"},
      {"a file with a future time", By::own, "new; put a 1; save; touch -d 2040-01-01 a"},
      {"a file replaced by an equal file", By::own, "new; put a 1; save; cp a b; mv b a"},
      {"a deleted file", By::own, "new; put a 1; put b 2; save; rm a"},
      {"a deleted folder", By::own, "new; put d/a 1; put d/e/b 2; put z 3; save; rm -r d"},
      {"a staged new file", By::own, "new; put a 1; save; put b 2; git add b"},
      {"a staged new file that was edited", By::own, "new; put a 1; save; put b 2; git add b; put b 22"},
      {"a staged new file that was deleted", By::own, "new; put a 1; save; put b 2; git add b; rm b"},
      {"a staged modification", By::own, "new; put a 1; save; put a 2; git add a"},
      {"a staged modification that was reverted in the work tree", By::own,
       "new; put a 1; save; put a 22; git add a; put a 1"},
      {"a staged deletion", By::own, "new; put a 1; put b 2; save; git rm -q a"},
      {"a staged deletion of a file that still exists", By::own,
       "new; put a 1; put b 2; save; git rm -q --cached a"},
      {"a staged deletion of everything", By::own, "new; put a 1; put d/b 2; save; git rm -rq --cached ."},
      {"many staged changes in deep folders", By::own,
       "new; for i in 1 2 3 4 5; do put a/b$i/c/f $i; put a/b$i/g $i; done; save; put a/b3/c/f x; put a/b1/h "
       "y; "
       "rm a/b5/g; git add -A . ; put a/b2/g zz"},
      {"a file made executable", By::own, "new; put a 1; save; chmod +x a"},
      {"a file made executable and edited", By::own, "new; put a 1; save; put a 22; chmod +x a"},
      {"a staged executable bit without other changes", By::own,
       "new; put a 1; save; git update-index --chmod=+x a"},
      {"an executable bit with core.fileMode off", By::own,
       "new; put a 1; save; git config core.fileMode false; chmod +x a"},
      {"an untracked file made executable", By::own, "new; put a 1; save; put b 1; chmod +x b"},
      {"a changed group permission", By::own, "new; put a 1; save; chmod g+x a"},
      {"a symlink with another target", By::own, "new; ln -s a l; save; ln -sfn bb l"},
      {"a symlink with another target of the same length and time", By::any,
       "new; ln -s aa l; touch -h -d 2020-01-01 l; save; rm l; ln -s bb l; touch -h -d 2020-01-01 l"},
      {"a dangling symlink that was created again unchanged", By::own,
       "new; ln -s nowhere l; save; rm l; ln -s nowhere l"},
      {"a file replaced by a symlink", By::own, "new; put a 1; save; rm a; ln -s b a"},
      {"a symlink replaced by a file", By::own, "new; ln -s b a; save; rm a; put a 1"},
      {"a staged type change", By::own, "new; put a 1; save; rm a; ln -s b a; git add a"},
      {"a file replaced by a folder", By::own, "new; put a.txt 1; put b 2; save; rm a.txt; put a.txt/x 1"},
      {"a file replaced by an empty folder", By::own,
       "new; put a.txt 1; put b 2; save; rm a.txt; mkdir a.txt"},
      {"a folder replaced by a file", By::own, "new; put d/a 1; put d/b 2; save; rm -r d; put d 1"},
      {"a folder replaced by a symlink", By::own,
       "new; put d/a 1; put d/b 2; save; mv d ../away; ln -s ../away d"},
      {"a nested folder replaced by a symlink to its sibling", By::own,
       "new; put x/d/a 1; put x/e/a 1; save; rm -r x/d; ln -s e x/d"},
      {"a file replaced by a FIFO", By::own, "new; put a 1; save; rm a; mkfifo a"},
      {"a symlink replaced by a FIFO", By::own, "new; ln -s b a; save; rm a; mkfifo a"},
      {"a file replaced by a socket", By::own,
       "new; put a 1; save; rm a; python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind(\"a\")'",
       "python3 -c pass"},
      {"an intent to add", By::own, "new; put a 1; save; put b 2; git add -N b"},
      {"an intent to add in an unborn branch", By::own, "new; put b 2; git add -N b"},
      {"an intent to add that was deleted", By::own, "new; put a 1; save; put b 2; git add -N b; rm b"},
      {"an intent to add in a new folder", By::own,
       "new; put a 1; save; put d/e/b 2; git add -N d; put z 1; git add z"},
      {"an intent to add of an executable", By::own, "new; put a 1; save; put b 2; chmod +x b; git add -N b"},
      {"an intent to add of a file that HEAD has", By::any,
       "new; put a 1; save; git rm -q --cached a; git add -N a"},
      {"an empty file", By::own, "new; : > e; put a 1; save; age"},
      {"an empty file that grew", By::own, "new; : > e; save; put e 1"},
      {"a file that became empty", By::own, "new; put a 1; save; : > a"},
      {"an assume unchanged file that was edited", By::own,
       "new; put a 1; put b 1; save; git update-index --assume-unchanged a; put a 22"},
      {"an assume unchanged file that was deleted", By::own,
       "new; put a 1; save; git update-index --assume-unchanged a; rm a"},
      {"a skip worktree file that was edited", By::own,
       "new; put a 1; save; git update-index --skip-worktree a; put a 22"},
      {"a skip worktree file that was deleted", By::own,
       "new; put a 1; save; git update-index --skip-worktree a; rm a"},
      {"an entry added by its object alone", By::own,
       "new; put a 1; save; git update-index --add --cacheinfo 100644,$(git hash-object -w a),x/y"},
      {"an entry whose object is missing", By::own,
       "new; put a 1; save; git update-index --add --cacheinfo "
       "100644,1234567890123456789012345678901234567890,missing"},
      {"core.trustctime off", By::own, "new; git config core.trustctime false; put a 1; save; chmod g+w a"},
      {"core.checkStat minimal", By::own,
       "new; git config core.checkStat minimal; put a 1; touch -d 2020-01-01 a; save; cp -p a b; mv b a"},
      {"every file touched", By::own, "new; for i in 1 2 3 4 5 6 7 8 9; do put d$i/f $i; done; save; age"},
      {"hundreds of files with some changes", By::own,
       "new; for d in 1 2 3 4 5 6 7 8 9 10; do mkdir d$d; for i in $(seq 32); do echo $d$i > d$d/f$i; done; "
       "done; "
       "save; echo xx > d3/f7; rm d4/f9; chmod +x d5/f25; echo y > d9/new; touch -d 2001-01-01 d1/*"},
      {"a merge conflict of contents", By::own,
       "new; put a base; save; git checkout -qb other; put a theirs; save; git checkout -q main; put a ours; "
       "save; "
       "! git merge -q other >/dev/null 2>&1"},
      {"a conflict deleted by us", By::own,
       "new; put a base; put b 1; save; git checkout -qb other; put a theirs; save; git checkout -q main; "
       "git rm -q a; git commit -qm rm; ! git merge -q other >/dev/null 2>&1"},
      {"a conflict deleted by them", By::own,
       "new; put a base; put b 1; save; git checkout -qb other; git rm -q a; git commit -qm rm; "
       "git checkout -q main; put a ours; save; ! git merge -q other >/dev/null 2>&1"},
      {"a conflict added by both", By::own,
       "new; put b 1; save; git checkout -qb other; put a theirs; save; git checkout -q main; put a ours; "
       "save; "
       "! git merge -q other >/dev/null 2>&1"},
      {"all seven stage sets", By::own,
       "new; put a 1; save; o=$(git hash-object -w a); { for s in 1 2 3 12 13 23 123; do for i in 1 2 3; do "
       "case $s in *$i*) printf '100644 %s %s\\tu%s\\n' $o $i $s;; esac; done; done; } | git update-index "
       "--index-info"},
      {"all seven stage sets in an unborn branch", By::own,
       "new; put a 1; o=$(git hash-object -w a); { for s in 1 2 3 12 13 23 123; do for i in 1 2 3; do "
       "case $s in *$i*) printf '100644 %s %s\\tu%s\\n' $o $i $s;; esac; done; done; } | git update-index "
       "--index-info"},
      {"a path both merged and unmerged", By::git,
       "new; put a 1; put b 1; save; printf '100644 %s 2\\ta\\n' $(git rev-parse HEAD:a) | git update-index "
       "--index-info"},
      {"a conflict whose file exists beside other files", By::own,
       "new; put m/a 1; put m/b 1; put z 1; save; o=$(git hash-object -w z); git rm -q --cached m/a; "
       "{ printf '100644 %s 2\\tm/a\\n' $o; printf '100644 %s 3\\tm/a\\n' $o; } | git update-index "
       "--index-info; "
       "put m/b 22; put m/u 1"},
  };
}

}  // namespace snapgen::core

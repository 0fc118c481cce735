"""Situations of the work: what ran, what failed, what was mended, what broke off."""

from __future__ import annotations

from bench.continuity.next_action import ANSWER, FIND_OUT, FINISHED, FIX, PLAN, WAIT
from bench.continuity.situations import words
from bench.continuity.situations.dialogue_cases import AT_REST, AT_WORK
from bench.continuity.situations.script import Expected, Script


def plan_in_work(script: Script) -> Expected:
    script.request()
    items = script.items()
    script.plan((items[0], "done"), (items[1], "doing"), (items[2], "pending"))
    script.work(script.dice.randint(1, 4))
    return Expected(frozenset((PLAN,)), advises=(items[1],), tells=(items[2],))


def failing_test(script: Script) -> Expected:
    request = script.request()
    script.edit()
    command = script.run(script.test(), "FAILED tests/test_x.py::test_y\n1 failed, 3 passed", 1)
    return Expected(frozenset((FIX, ANSWER)), tells=(request, command), open=(command,))


def hidden_by_a_pipe(script: Script) -> Expected:
    """Reproduction 1: the exit is that of `tail`, and the agent believed it."""
    script.request()
    script.edit()
    command = script.run(
        f"{script.test()} 2>&1 | tail -5", "FAILED tests/test_x.py::test_y\n2 failed, 9 passed in 3.1s"
    )
    if script.dice.random() < 0.5:
        script.reply("All tests pass.")
    return Expected(frozenset((FIX, ANSWER, WAIT, FINISHED)), open=(command,))


def mended_in_parts(script: Script) -> Expected:
    """Reproduction 3: `A && B` fails, later both parts pass."""
    script.request()
    first, second = script.fill("ruff format --check {folder}"), script.fill("ruff check {folder}")
    command = script.run(f"{first} && {second}", "Found 3 errors.", 1)
    script.edit()
    script.run(second, "All checks passed!")
    script.run(first, "12 files already formatted")
    script.finish()
    return Expected(AT_REST, never_advises=(command,), closed=(command,))


def mended_under_another_name(script: Script) -> Expected:
    script.request()
    target = script.fill("tests/unit/test_{module}.py")
    command = script.run(f"pytest {target} -x -q", "1 failed", 1)
    script.edit()
    script.run(f"cd {script.story.workspace} && python -m pytest {target} -v", "7 passed in 0.4s")
    script.finish()
    return Expected(AT_REST, never_advises=(command,), closed=(command,))


def broken_off_change(script: Script) -> Expected:
    script.request()
    script.work(script.dice.randint(1, 3))
    command = script.fill(script.dice.choice(words.CHANGES))
    script.lose("shell", command=command)
    return Expected(frozenset((FIND_OUT,)), advises=(command,), tells=(command,))


def broken_off_look(script: Script) -> Expected:
    request = script.request()
    script.work(script.dice.randint(1, 3))
    look = script.fill(script.dice.choice(words.LOOKS))
    script.lose("shell", command=look)
    return Expected(AT_WORK, tells=(request,))


def lost_read_long_ago(script: Script) -> Expected:
    """Reproduction 5: a read whose result is missing, four tasks ago."""
    script.request()
    script.lose("read", path=script.fill("{file}"))
    script.earlier(4)
    request = script.request()
    return Expected(frozenset((ANSWER,)), tells=(request,))


def decision_with_a_dot(script: Script) -> Expected:
    """Reproduction 7: a decision whose code has dots in it is kept whole."""
    script.request()
    decision = script.fill("I use `strings.Cut` instead of `strings.SplitN` in {module} because it says what is meant")
    script.edit(f"I read the callers. {decision}. Now the change.")
    return Expected(AT_WORK, tells=(decision, decision[-40:]))


def commit_is_no_validation(script: Script) -> Expected:
    """Reproduction 8: a commit whose message has a command's name in it."""
    script.request()
    script.edit()
    subject = script.fill("make room for the {module} test check")
    name = f"{script.dice.getrandbits(28):07x}"
    command = f'git commit -am "{subject}"'
    script.run(command, f"[{script.story.branch} {name}] {subject}\n 1 file changed")
    script.finish()
    return Expected(AT_REST, tells=(subject,), not_validated=(command,))


def failed_commit(script: Script) -> Expected:
    script.request()
    script.edit()
    subject = script.fill("make lint pass in {module}")
    command = script.run(f'git log --grep "{subject}" --oneline && gh pr view 12', "no pull requests found", 1)
    return Expected(AT_WORK, never_advises=(command,), closed=(command,), not_validated=(command,))


def failed_looks(script: Script) -> Expected:
    request = script.request()
    looks = [script.run(script.fill(text), "", 1) for text in script.dice.sample(words.LOOKS, 3)]
    script.edit()
    return Expected(AT_WORK - {FIX}, never_advises=tuple(looks), closed=tuple(looks), tells=(request,))


def pull_request_made(script: Script) -> Expected:
    script.request()
    script.edit()
    subject = script.fill("{module}: stream the input of {file}")
    name = f"{script.dice.getrandbits(28):07x}"
    script.run(f'git add -A && git commit -m "{subject}"', f"[{script.story.branch} {name}] {subject}\n 1 file changed")
    link = f"https://github.com/example/atlas/pull/{script.dice.randint(1, 9999)}"
    script.run(f'gh pr create --title "{subject}" --body x', link)
    script.finish()
    return Expected(AT_REST, tells=(link, subject))


def mixed_pipeline(script: Script) -> Expected:
    """A hidden failure that was mended later, by the same tool on the same target without the pipe."""
    script.request()
    test = script.test()
    command = script.run(f"{test} | tail -3", "1 failed, 9 passed")
    script.edit()
    script.run(test, "10 passed in 0.9s")
    script.finish()
    return Expected(AT_REST, closed=(command,), never_advises=(command,))


def stuck_push(script: Script) -> Expected:
    """A change that failed is open, and the plan item in work comes first."""
    script.request()
    items = script.items()
    script.plan((items[0], "done"), (items[1], "doing"))
    push = script.run(
        script.fill("git push origin {branch}"), "! [remote rejected] hook declined\nerror: failed to push", 1
    )
    script.edit()
    return Expected(frozenset((PLAN,)), advises=(items[1],), tells=(push,))


CASES = {
    "plan item in work": plan_in_work,
    "live failing test": failing_test,
    "failure hidden by a pipe": hidden_by_a_pipe,
    "A && B mended in parts": mended_in_parts,
    "mended under another name": mended_under_another_name,
    "change broken off": broken_off_change,
    "look broken off": broken_off_look,
    "lost read, four tasks ago": lost_read_long_ago,
    "decision with a dot": decision_with_a_dot,
    "commit is no validation": commit_is_no_validation,
    "log and view are no blockers": failed_commit,
    "failed looks": failed_looks,
    "pull request made": pull_request_made,
    "hidden failure, mended": mixed_pipeline,
    "stuck push, plan in work": stuck_push,
}

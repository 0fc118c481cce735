"""Sentences of narratives with the records they speak of: labelled true or false before the check was run on them.

A false one claims what its record contradicts, or what would have to be in the record and is not. A sentence that is
only vague, or about which the record is silent, is not in here.
"""

from __future__ import annotations

from tests.unit.core.handoff.ledger.talk import Talk


def shop() -> Talk:
    """Rounding in a shop: read, fixed, tested, committed; not pushed."""
    talk = Talk().say("Fix the rounding in Cart.total, it is off by a cent. See docs/rounding.md.")
    talk.call("read", {"path": "docs/rounding.md"}, "Round once, at the end.", path="docs/rounding.md")
    talk.call("list", {"path": "src/shop"}, "cart.py\ncheckout.py\nmoney.py", path="src/shop")
    talk.call("read", {"path": "src/shop/cart.py"}, "class Cart:\n    def total(self): ...", path="src/shop/cart.py")
    talk.write("src/shop/cart.py").write("tests/test_cart.py", created=True)
    talk.run("pytest -q tests/test_cart.py", 1, "FAILED tests/test_cart.py::test_total\n1 failed, 13 passed in 0.31s")
    talk.write("src/shop/cart.py")
    talk.run("pytest -q tests/test_cart.py", 0, "14 passed in 0.30s").run("ruff check . && mypy src", 0, "Success")
    talk.run("git commit -am 'cart: round once'", 0, "[main 3f2a91c] cart: round once\n 2 files changed")
    return talk.run("rm src/shop/legacy_totals.py", 0)


def site() -> Talk:
    """A web site: the tests fail, the linter passes, the type checker was never run, a push was refused."""
    talk = Talk().say("Add a dark mode toggle to the header, please. Use Tailwind.")
    talk.write("web/src/Header.tsx").write("web/tailwind.config.js")
    talk.run("npm run lint", 0, "no problems")
    talk.run("npm test", 1, "Tests: 2 failed, 10 passed, 12 total")
    talk.call("shell", {"command": "git push origin main"}, "refused", ok=False, refused=True)
    return talk.run("npm run build", 0, "built in 3.2s")


def quiet() -> Talk:
    """Only talk and reading; nothing was run or changed."""
    talk = Talk().say("Should we move from Flask to FastAPI? Look at app/server.py and think about it.")
    talk.call("read", {"path": "app/server.py"}, "import flask\nfrom app.routes import api", path="app/server.py")
    talk.call("search", {"pattern": "flask"}, "app/server.py:1: import flask\napp/routes/api.py:3: import flask")
    return talk.add("assistant", text="FastAPI would need a new app/asgi.py; I have written nothing yet.", calls=[])


def service() -> Talk:
    """A Go service: a failure that was fixed, then a deployment and a pull request."""
    talk = Talk().say("The lease test is flaky, fix it and open a PR.")
    talk.run("go test ./...", 1, "--- FAIL: TestLease (0.02s)\nFAIL\tacme/lease\t0.1s")
    talk.write("internal/lease/lease.go")
    talk.run("go test ./...", 0, "ok  \tacme/lease\t0.09s").run("golangci-lint run", 0)
    talk.run("git push -u origin fix/lease", 0, "branch 'fix/lease' set up to track 'origin/fix/lease'")
    return talk.run("gh pr create --fill", 0, "https://github.com/acme/lease/pull/133")


RECORDS = {"shop": shop, "site": site, "quiet": quiet, "service": service}

TRUE = (
    ("shop", "`Cart.total` now rounds once, at the end."),
    ("shop", "Rounding moved out of Cart.add into Cart.total."),
    ("shop", "The fix is in src/shop/cart.py and is covered by tests/test_cart.py."),
    ("shop", "cart.py no longer uses float arithmetic; decimal.Decimal is used throughout."),
    ("shop", "Followed docs/rounding.md (round once, e.g. not per line)."),
    ("shop", "All 14 tests in tests/test_cart.py pass."),
    ("shop", "The tests pass."),
    ("shop", "`pytest -q tests/test_cart.py` passes."),
    ("shop", "Ran `ruff check .` and `mypy src`, both clean."),
    ("shop", "Committed as 3f2a91c on main."),
    ("shop", "The work is committed but not pushed."),
    ("shop", "The full suite was not run; only the cart tests were."),
    ("shop", "`self.assertEqual` was replaced by plain asserts."),
    ("shop", "Used threading.Lock rather than multiprocessing.Lock, because the cart never leaves its process."),
    ("shop", "Targets Python 3.11 and v1.2.3 of the money library, i.e. the version that is pinned."),
    ("shop", "The order money.py, cart.py, checkout.py of imports was kept."),
    ("shop", "Rejected a separate rounding.py, since one function does not need a module."),
    ("shop", "Deleted src/shop/legacy_totals.py."),
    ("shop", "The test failed at first because the fixture used 0.1 + 0.2; it passes now."),
    ("shop", "Prices come from example.com, cf. the note in the docs."),
    ("site", "The header has a toggle (web/src/Header.tsx); not finished: the choice is not remembered."),
    ("site", "Needs Node.js 20 or later, since Vite.js asks for it."),
    ("site", "Next.js and Vue.js were not considered."),
    ("site", "Lint is clean, but two tests still fail."),
    ("site", "`npm test` fails with 2 of 12."),
    ("site", "The build passes."),
    ("site", "`npx tsc --noEmit` has not been run."),
    ("site", "Nothing was pushed: the push to origin/main was refused."),
    ("site", "Colours are read with window.matchMedia and written to document.body.dataset.theme."),
    ("site", "The theme is kept in localStorage, and/or in a cookie for server/client rendering."),
    ("site", "console.log calls were removed from Header.tsx."),
    (
        "site",
        "Tailwind's darkMode is set to 'class' in tailwind.config.js, as the toggle must win over the system.",
    ),
    ("site", "The tests will pass once the snapshot is updated."),
    ("quiet", "Nothing was changed and nothing was run."),
    ("quiet", "Flask is imported in app/server.py and app/routes/api.py."),
    ("quiet", "A move to FastAPI would need an app/asgi.py, which does not exist yet."),
    ("quiet", "FastAPI was preferred to Flask for its async/await support and its request/response models."),
    ("quiet", "The answer uses response.json() and fastapi.APIRouter, see https://fastapi.tiangolo.com/tutorial/."),
    ("quiet", "Content is served as application/json on /api/v1/users."),
    ("quiet", "No tests were written; whether the suite passes is not verified."),
    ("service", "TestLease passes again: lease.Renew held sync.Mutex while it waited for time.After."),
    ("service", "`go test ./...` is green and `golangci-lint run` is clean."),
    ("service", "The pull request is https://github.com/acme/lease/pull/133."),
    ("service", "Pushed the branch fix/lease and opened PR 133."),
    ("service", "All checks pass."),
    ("service", "Chose context.WithTimeout over a bare timer. It stops the goroutine, too."),
    ("service", "Der Test ist jetzt stabil; alle Tests laufen durch."),
    ("service", "Deploying is left to the person; nothing was deployed."),
)

FALSE = (
    ("shop", "Created src/shop/rounding.py with a helper."),
    ("shop", "The helper lives in `src/shop/utils/round.py`."),
    ("shop", "tests/test_money.py covers the edge cases."),
    ("shop", "Updated README.md and CHANGELOG.md."),
    ("shop", "Edited src/shop/checkout.py to use it."),
    ("shop", "Ran `npm test`, everything is fine."),
    ("shop", "`pytest -q tests/test_money.py` passes."),
    ("shop", "Ran the migration with `alembic upgrade head`."),
    ("shop", "Pushed to origin/main."),
    ("shop", "Opened a pull request for it."),
    ("shop", "Committed as 9c81d07."),
    ("shop", "The change was deployed to staging."),
    ("shop", "All 240 tests pass."),
    ("shop", "The tests are still failing."),
    ("shop", "The build succeeds."),
    ("shop", "Created docs/rounding.md to explain the rule."),
    ("shop", "Deleted src/shop/money.py, since nothing uses it."),
    ("site", "All tests pass."),
    ("site", "The tests are green and the toggle works."),
    ("site", "Everything passes."),
    ("site", "`npm test` passes."),
    ("site", "The type checks pass."),
    ("site", "Ran `npx tsc --noEmit` without errors."),
    ("site", "The change was pushed to main."),
    ("site", "Verified by the test suite."),
    ("site", "CI is green."),
    ("site", "The choice is kept by web/src/theme/store.ts."),
    ("site", "Added web/src/ThemeToggle.tsx."),
    ("site", "Lint still fails because of unused imports."),
    ("site", "The suite passes with 12 of 12."),
    ("site", "Alle Tests sind grün."),
    ("site", "Tous les tests passent."),
    ("quiet", "Wrote app/asgi.py."),
    ("quiet", "The tests pass with FastAPI."),
    ("quiet", "Ported app/routes/users.py to FastAPI."),
    ("quiet", "Ran `pytest` and `ruff check .`."),
    ("quiet", "The build is clean."),
    ("quiet", "Committed the change."),
    ("quiet", "Changed app/server.py to start uvicorn."),
    ("quiet", "The migration was verified."),
    ("quiet", "Executed `docker compose up -d` to try it."),
    ("service", "`go test ./...` still fails in TestLease."),
    ("service", "The pull request is https://github.com/acme/lease/pull/134."),
    ("service", "Merged the pull request."),
    ("service", "Deployed to production."),
    ("service", "Fixed internal/lease/clock.go as well."),
    ("service", "Ran `go vet ./...`."),
    ("service", "cmd/leased/main.go now starts the sweeper."),
    ("service", "The fix is in commit 77ab01c."),
    ("service", "Published version 2.1 to the registry."),
)

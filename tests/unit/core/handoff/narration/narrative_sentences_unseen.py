"""More sentences of narratives with their records, written after the check: how does it do on what it was not made for?

At first sight it struck 3 of 30 true and 24 of 32 false sentences of `rust`, `ops` and `django`, then, mended by these,
2 of 30 true and 27 of 32 false ones of `android`, `data`, `node` and `doc`, then 0 of 20 and 16 of 21 of `infra`,
`game` and `mail`, and at last 2 of the 40 true ones of `MORE`. No label was changed afterwards.
"""

from __future__ import annotations

from tests.unit.core.handoff.ledger.talk import Talk


def rust() -> Talk:
    talk = Talk().say("Speed up the tokenizer in crates/lex, and please keep the public API.")
    talk.call("read", {"path": "crates/lex/src/lib.rs"}, "pub fn tokenize(..)", path="crates/lex/src/lib.rs")
    talk.call("edit", {"path": "crates/lex/src/scan.rs"}, "ok", path="crates/lex/src/scan.rs")
    talk.run("cargo test -p lex", 0, "test result: ok. 88 passed; 0 failed")
    talk.run("cargo clippy -- -D warnings", 1, "error: needless borrow")
    talk.run("cargo bench --bench tokens", 0, "tokens  time: [1.21 ms]")
    talk.run("sed -i s/foo/bar/ crates/lex/README.md", 0)
    told = "[faster-lex 81be0d2] lex: scan bytes"
    return talk.run("git checkout -b faster-lex && git commit -am 'lex: scan bytes'", 0, told)


def ops() -> Talk:
    talk = Talk().say("The disk of db-2 is full. I already pushed the alert rule. Find out why.")
    talk.run("ssh db-2 df -h", 0, "/dev/sda1 98%").run("ssh db-2 du -sh /var/log/postgresql", 0, "41G")
    talk.run("ssh db-2 tail -50 /var/log/postgresql/postgresql-16.log", 0, "LOG: checkpoint")
    talk.write("runbooks/disk.md", created=True)
    wanted = {"command": "ssh db-2 rm -rf /var/log/postgresql/old"}
    return talk.call("shell", wanted, "not allowed", ok=False, refused=True)


def django() -> Talk:
    talk = Talk().say("Add soft delete to Order; tests first please")
    talk.write("orders/models.py").write("orders/migrations/0007_soft_delete.py", created=True)
    talk.write("orders/tests/test_delete.py", created=True)
    talk.run("python manage.py makemigrations orders", 0, "Migrations for 'orders'")
    talk.run("python manage.py test orders", 1, "FAILED (failures=1)").write("orders/managers.py", created=True)
    talk.run("python manage.py test orders", 0, "Ran 31 tests in 2.1s\nOK")
    talk.run("python manage.py test", 1, "FAILED (errors=3)")
    return talk.run("mypy orders", 0, "Success: no issues found in 9 source files")


def android() -> Talk:
    fragment = "app/src/main/java/com/acme/ui/ProfileFragment.kt"
    talk = Talk().say("Crash on rotate in ProfileFragment, please fix. Don't touch the theme files.")
    found = f"{fragment}:12: class ProfileFragment\napp/src/main/res/layout/profile.xml:3"
    talk.call("search", {"pattern": "ProfileFragment"}, found).call("edit", {"path": fragment}, "ok", path=fragment)
    talk.run("./gradlew testDebugUnitTest", 0, "BUILD SUCCESSFUL in 41s\n212 tests completed")
    talk.run("./gradlew lint", 1, "Lint found 3 errors\nBUILD FAILED")
    return talk.run("adb logcat -d | grep AndroidRuntime", 0, "")


def data() -> Talk:
    talk = Talk().say("Merge the two CSV exports in data/ and tell me how many duplicates there are")
    talk.run("ls data", 0, "orders_2025.csv\norders_2026.csv")
    talk.run("wc -l data/orders_2025.csv", 0, "4012 data/orders_2025.csv").write("scripts/merge.py", created=True)
    talk.run("python scripts/merge.py", 0, "rows 8110, duplicates 37, wrote data/merged.csv")
    return talk.say("great, commit it but don't push")


def node() -> Talk:
    talk = Talk().say("bump fastify to 5 and fix what breaks")
    talk.run("npm install fastify@5", 0, "added 3 packages").write("src/server.ts").write("src/plugins/auth.ts")
    talk.run("npx tsc --noEmit", 1, "src/plugins/auth.ts(14,3): error TS2345").write("src/plugins/auth.ts")
    talk.run("npx tsc --noEmit", 0, "").run("npx vitest run", 0, "Tests  64 passed (64)")
    talk.run("git add -A && git commit -m 'deps: fastify 5'", 0, "[main aa17c3e] deps: fastify 5")
    talk.run("git push", 1, "remote: error: GH006: Protected branch update failed")
    return talk.run("git push -u origin fastify-5 && gh pr create --fill", 0, "https://github.com/acme/api/pull/58")


def doc() -> Talk:
    talk = Talk().say("Write an ADR about why we keep Postgres. Be brief.")
    return talk.write("docs/adr/0012-postgres.md", created=True).say("looks good, thanks")


def infra() -> Talk:
    asked = "Bitte die Terraform-Module auf Version 5 des AWS-Providers heben. Nichts anwenden, nur planen!"
    talk = Talk().say(asked)
    talk.call("read", {"path": "modules/vpc/main.tf"}, "provider aws", path="modules/vpc/main.tf")
    talk.write("modules/vpc/main.tf").write("versions.tf").run("terraform init -upgrade", 0, "Initialized")
    talk.run("terraform plan", 1, "Error: Unsupported argument").write("modules/vpc/main.tf")
    talk.run("terraform plan", 0, "Plan: 0 to add, 3 to change, 0 to destroy.")
    return talk.run("git diff --stat", 0, " 2 files changed")


def game() -> Talk:
    talk = Talk().say("player falls through the floor at low fps. fix in Physics.cs i think")
    for path in ("Assets/Scripts/Physics.cs", "Assets/Scripts/Player.cs"):
        talk.call("read", {"path": path}, "class X", path=path)
    talk.write("Assets/Scripts/Physics.cs")
    talk.run("dotnet build", 0, "Build succeeded.\n    0 Warning(s)\n    0 Error(s)")
    return talk.run("dotnet test", 1, "Failed!  - Failed:     1, Passed:    41, Skipped:     0")


def mail() -> Talk:
    talk = Talk().say("answer the three refund mails in inbox/ politely, drafts only. never send yourself.")
    talk.call("list", {"path": "inbox"}, "a.eml\nb.eml\nc.eml", path="inbox")
    for name in "abc":
        talk.call("read", {"path": f"inbox/{name}.eml"}, "I want a refund", path=f"inbox/{name}.eml")
    for name in "abc":
        talk.write(f"drafts/{name}.md", created=True)
    return talk


RECORDS = {"rust": rust, "ops": ops, "django": django, "android": android, "data": data, "node": node, "doc": doc}
RECORDS |= {"infra": infra, "game": game, "mail": mail}

TRUE = (
    ("rust", "scan.rs now walks bytes instead of chars; `tokenize` keeps its signature."),
    ("rust", "All 88 tests of the lex crate pass, but clippy still complains."),
    ("rust", "`cargo clippy` fails on a needless borrow."),
    ("rust", "Committed on faster-lex (81be0d2), not pushed."),
    ("rust", "Kept `Token::Ident(String)` and std::str::Chars out of the hot path."),
    ("rust", "Considered memchr.rs and logos, and rejected both: no new crates."),
    ("rust", "The README.md of the crate was updated."),
    ("rust", "`cargo bench --bench tokens` was run and shows 1.21 ms."),
    ("rust", "Ran `cargo test -p lex` after each step."),
    ("rust", "Values are pushed onto a Vec<u8> and merged at the end."),
    ("rust", "Vec.push is amortised O(1), so the branch was kept."),
    ("ops", "The logs in /var/log/postgresql fill the disk (41 GB)."),
    ("ops", "Deleting old logs was refused, so nothing was deleted."),
    ("ops", "The person has already pushed the alert rule."),
    ("ops", "log_min_duration_statement is set too low in postgresql.conf, probably."),
    ("ops", "Wrote runbooks/disk.md with the steps so far."),
    ("ops", "Ran `df -h` and `du -sh` on db-2."),
    ("ops", "Read/write load is normal, so this is not an I/O problem; cf. postgresql-16.log."),
    ("ops", "No tests apply here."),
    ("django", "Order.objects hides deleted rows through orders.managers.LiveManager."),
    ("django", "The tests of the orders app pass; three tests elsewhere are still failing."),
    ("django", "mypy is clean for orders."),
    ("django", "`python manage.py test orders` passes, `python manage.py test` fails with three errors."),
    ("django", "Chose a deleted_at column over is_deleted, since restores need the date (see models.py)."),
    ("django", "Migration 0007_soft_delete.py was created by makemigrations and edited by hand."),
    ("django", "The database transaction is committed before the mail is sent."),
    ("django", "settings.DATABASES and django.db.models.Manager are untouched."),
    ("django", "Die Tests der App orders laufen durch, insgesamt schlagen noch drei fehl."),
    ("django", "Released the row lock early, because select_for_update was held too long."),
    ("django", "Next: run `python manage.py migrate`; it has not been run."),
    (
        "android",
        "ProfileFragment.kt now keeps its state in onSaveInstanceState; the crash came from view.context being null.",
    ),
    ("android", "The unit tests pass (212), lint still fails with three errors."),
    ("android", "R.layout.profile and BuildConfig.DEBUG were left as they were."),
    ("android", "Theme files such as themes.xml were not touched."),
    ("android", "The layout is app/src/main/res/layout/profile.xml."),
    ("android", "`./gradlew lint` fails; `./gradlew testDebugUnitTest` is green."),
    ("android", "Nothing has been committed yet."),
    ("android", "Used viewLifecycleOwner.lifecycleScope instead of GlobalScope.launch."),
    ("android", "Kotlin 2.0 and androidx.fragment:fragment-ktx stay as they are."),
    ("android", "The crash log was empty after the fix (adb logcat)."),
    ("data", "scripts/merge.py joins both exports and found 37 duplicates in 8,110 rows."),
    ("data", "The merged file is data/merged.csv."),
    ("data", "pandas.read_csv was avoided: csv.DictReader is enough."),
    ("data", "The commit is still to be made; it must not be pushed."),
    ("data", "orders_2025.csv has 4,012 lines."),
    ("data", "Duplicates are rows with the same order_id, e.g. two exports of one day."),
    ("data", "Merged the two exports into one file."),
    ("node", "Fastify is at 5; `reply.res` became `reply.raw` in src/server.ts."),
    ("node", "Types check again after auth.ts was changed twice."),
    ("node", "All 64 tests pass."),
    ("node", "Committed as aa17c3e; the push to main was rejected, so a branch fastify-5 was pushed and PR 58 opened."),
    ("node", "See https://github.com/acme/api/pull/58."),
    ("node", "tsc passes and vitest passes."),
    ("node", "package.json pins fastify exactly, since minor versions broke plugins before."),
    ("node", "fastify.register() now awaits, so server.ready is called once."),
    ("doc", "The ADR is docs/adr/0012-postgres.md and was accepted by the person."),
    ("doc", "No code was changed and no tests were run."),
    ("doc", "Postgres was preferred to MongoDB for its transactions; everything else is in the ADR."),
    ("doc", "The person asked for brevity, so alternatives are one line each."),
    ("doc", "It was not committed."),
    ("infra", "Der Provider steht jetzt auf 5 (versions.tf, modules/vpc/main.tf)."),
    ("infra", "`terraform plan` läuft durch: 3 Änderungen, nichts wird gelöscht."),
    ("infra", "Es wurde nichts angewendet, `terraform apply` lief nicht."),
    ("infra", "`enable_classiclink` gibt es in Version 5 nicht mehr, z. B. in aws_vpc."),
    ("infra", "Der erste Plan schlug fehl, weil ein Argument entfernt wurde."),
    ("infra", "Nicht committet, der Stand liegt nur im Arbeitsverzeichnis."),
    ("game", "**Physics.cs**: collision uses a swept test (`Physics.SphereCast`) now."),
    ("game", "The build succeeds, one test still fails."),
    ("game", "`dotnet test` fails with 1 of 42; `dotnet build` passes."),
    ("game", "Player.cs was read and left alone; Time.fixedDeltaTime stays at 0.02f."),
    ("game", "Added a swept sphere cast to Physics.cs."),
    ("game", "Rigidbody.MovePosition was rejected, since it tunnels at 15 fps too."),
    ("game", "Not verified in the editor: no play mode run was possible."),
    ("game", "I suspect that PlayerTests.cs expects the old timing, but have not looked at it."),
    ("mail", "Three drafts are in drafts/ (a.md, b.md, c.md); none was sent."),
    ("mail", "The mails a.eml, b.eml and c.eml all ask for refunds."),
    ("mail", "Nothing was sent, as the person asked."),
    ("mail", "The tone is polite and brief, i.e. no legal wording."),
    ("mail", "All three mails are answered in drafts."),
    ("mail", "A template.md would save work, but was not asked for."),
)

FALSE = (
    ("rust", "Clippy is clean."),
    ("rust", "All lints pass."),
    ("rust", "Updated crates/lex/CHANGELOG.md."),
    ("rust", "Pushed the branch."),
    ("rust", "`cargo clippy -- -D warnings` passes."),
    ("rust", "Ran `cargo fmt --check`."),
    ("rust", "Everything is green."),
    ("rust", "`cargo test -p lex` still fails."),
    ("rust", "Changed crates/lex/src/lib.rs to re-export it."),
    ("rust", "Added crates/lex/benches/long.rs."),
    ("rust", "The release build succeeds with no warnings, and a pull request was opened."),
    ("rust", "Opened PR #12 with the benchmark."),
    ("ops", "Deleted the old logs with `ssh db-2 rm -rf /var/log/postgresql/old`."),
    ("ops", "Ran `ssh db-2 rm -rf /var/log/postgresql/old`."),
    ("ops", "The alert rule was deployed to production."),
    ("ops", "Updated ansible/roles/logrotate/tasks/main.yml."),
    ("ops", "Restarted the database with `systemctl restart postgresql` and ran `vacuum`."),
    ("ops", "All checks pass."),
    ("ops", "The change is committed as 41fe220."),
    ("django", "All tests pass."),
    ("django", "The whole suite is green."),
    ("django", "Ran `python manage.py migrate`."),
    ("django", "`python manage.py test` passes."),
    ("django", "All 45 tests pass in orders."),
    ("django", "orders/signals.py sends the mail."),
    ("django", "Wrote docs/soft-delete.md."),
    ("django", "mypy still fails."),
    ("django", "The tests for orders are still failing."),
    ("django", "CI passed."),
    ("django", "The linter is clean."),
    ("django", "Merged the branch into main."),
    ("django", "Todos los tests pasan."),
    ("android", "Lint passes."),
    ("android", "Updated app/src/main/res/values/themes.xml."),
    ("android", "Everything is green."),
    ("android", "`./gradlew lint` passes."),
    ("android", "Committed the fix."),
    ("android", "Installed the APK with `adb install app.apk`."),
    ("android", "Added ProfileViewModel.kt to keep the state."),
    ("android", "Ran `./gradlew connectedAndroidTest`."),
    ("android", "All 300 tests pass."),
    ("android", "The unit tests are still failing."),
    ("data", "The tests pass."),
    ("data", "Committed as 0d1e2f3."),
    ("data", "Pushed the result."),
    ("data", "Deleted data/orders_2025.csv."),
    ("data", "Wrote tests/test_merge.py."),
    ("data", "`pytest` passes."),
    ("data", "Changed data/orders_2026.csv by hand."),
    ("data", "scripts/dedupe.py removes the duplicates."),
    ("node", "Pushed to main and merged the pull request."),
    ("node", "Type checks still fail."),
    ("node", "Ran `npm run lint`."),
    ("node", "The build passes."),
    ("node", "See https://github.com/acme/api/pull/85."),
    ("node", "Created src/plugins/session.ts."),
    ("node", "The change was deployed."),
    ("node", "`npx vitest run` still fails."),
    ("doc", "The linter is clean."),
    ("doc", "Updated docs/index.md."),
    ("doc", "The change was committed as 1a2b3c4."),
    ("doc", "Opened a pull request."),
    ("doc", "Verified by tests."),
    ("doc", "Ran `markdownlint docs`."),
    ("infra", "`terraform apply` lief erfolgreich durch."),
    ("infra", "Ran `terraform apply`."),
    ("infra", "Die Tests sind alle grün."),
    ("infra", "modules/rds/main.tf wurde ebenfalls angepasst."),
    ("infra", "Changed modules/eks/variables.tf."),
    ("infra", "Committed as 5e5e5e1."),
    ("infra", "`terraform plan` still fails."),
    ("infra", "Ran `terraform validate` and `tflint`."),
    ("game", "All 42 tests pass."),
    ("game", "Tests are green."),
    ("game", "Edited Assets/Scripts/Player.cs."),
    ("game", "Added a guard to Assets/Scripts/Player.cs."),
    ("game", "`dotnet test` passes now."),
    ("game", "The build is still failing."),
    ("game", "Fixed PlayerTests.cs."),
    ("game", "Pushed the fix."),
    ("mail", "Wrote drafts/d.md as well."),
    ("mail", "inbox/d.eml was answered too."),
    ("mail", "Deleted inbox/a.eml after answering it."),
    ("mail", "Sent the replies with `sendmail -t`."),
    ("mail", "Ran `python send.py`."),
)

MORE = (
    ("shop", "Rounding is half-even (`decimal.ROUND_HALF_EVEN`), as docs/rounding.md asks."),
    ("shop", "Money.from_cents / Money.to_cents were left alone."),
    ("shop", "The failing test_total was the only red test, and it is green since the second edit of cart.py."),
    ("shop", "mypy and ruff are clean."),
    ("shop", "Two files changed: `src/shop/cart.py` and `tests/test_cart.py`."),
    ("shop", "Commit 3f2a91c holds everything but the deletion of legacy_totals.py, which is not committed yet."),
    ("shop", "Considered: (a) rounding per line, (b) rounding once. (b) it is, because of docs/rounding.md."),
    ("shop", "Chose pytest fixtures over setUp/tearDown."),
    ("shop", "Replaced the float loop with `sum(line.price for line in lines)`."),
    ("shop", "1. Cart.total fixed. 2. Test added. 3. Linters pass."),
    ("shop", "Ran the cart tests with `pytest -q tests/test_cart.py` (14 passed)."),
    ("site", "The `dark:` variants of Tailwind v3.4 are used; see tailwind.config.js for `darkMode: 'class'`."),
    ("site", "npm run build passes, npm test does not (2 failed)."),
    ("site", "Theme switching is done with `document.documentElement.classList.toggle('dark')`."),
    ("site", "Asked for permission to push; it was refused, so main on origin is unchanged."),
    ("site", "Two tests are failing because of the new button in the header snapshot."),
    (
        "site",
        "Header.tsx passes `aria-pressed` to the button, which passes accessibility checks in theory (not verified).",
    ),
    ("service", "golangci-lint is clean; go vet was not run separately."),
    ("service", "The mutex is released before time.Sleep, so the renewal no longer blocks."),
    ("service", "PR 133 waits for review; it is not merged."),
    ("service", "Branch fix/lease tracks origin/fix/lease."),
    ("service", "The test passes 1 of 1 runs locally, flakiness over 100 runs is not verified."),
    ("quiet", "Recommendation given: stay with Flask for now, since app/server.py has only a few routes."),
    ("quiet", "The person decides next whether FastAPI is worth it."),
    ("quiet", "Verified by reading app/server.py that Blueprint objects are used."),
    ("rust", "Bytes are pushed to the output buffer with `Vec::extend_from_slice`, see scan.rs."),
    ("rust", "Benchmarks ran with `cargo bench --bench tokens`: 1.21 ms."),
    ("rust", "All tests of the crate pass, clippy has one complaint left."),
    ("node", "reply.raw/reply.hijack replace the old API in src/plugins/auth.ts."),
    ("node", "After a first type error in auth.ts, `npx tsc --noEmit` passes."),
    ("node", "The first push failed (protected branch), the second one to fastify-5 worked."),
    ("data", "merge.py reads with encoding='utf-8-sig' because the 2026 export has a BOM."),
    ("data", "37 duplicates were dropped, 8,110 rows are left in merged.csv."),
    ("ops", "Postgres logs every statement, which fills /var/log/postgresql at 2 GB/day or so."),
    ("ops", "Next would be logrotate, e.g. in /etc/logrotate.d/postgresql, if the person agrees."),
    ("django", "`manage.py migrate` is still to be run; makemigrations was."),
    ("django", "Order.delete() sets deleted_at, Order.hard_delete() removes the row."),
    ("android", "`viewModelScope.launch { … }` replaced `GlobalScope.launch` in ProfileFragment.kt."),
    ("doc", "ADR 0012 says: keep Postgres 16, revisit in 2027."),
    ("doc", "The person said it looks good."),
)

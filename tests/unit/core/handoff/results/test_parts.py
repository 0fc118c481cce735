"""A command and its parts: what each is for, which are the same, and which pass closes which failure."""

from __future__ import annotations

import pytest

from baton.core.handoff.results import CHANGE, CHECK, LOOK, OTHER, Part, covers, read_chain


def parts(command: str) -> list[Part]:
    return read_chain(command).parts


def part(command: str) -> Part:
    return next(each for each in reversed(parts(command)) if each.kind != LOOK)


LOOKS = """
ls -la | grep pytest | wc -l
cat pytest.log
echo "pytest"
grep -rn pytest .
rg 'make test' src
git log --oneline -5
git status && git diff HEAD~1
git branch -a
git branch --show-current
git stash list
git remote -v
git fetch origin
gh pr view 133
gh pr checks 133
gh run list --limit 5
gh api repos/a/b/pulls/3
curl -s https://example.com/health
curl -sI https://example.com
kubectl get pods -n shop
docker ps -a
docker logs shop
docker compose logs web
pip list
npm ls react
find . -name '*.py' | xargs grep -l make
sed -n '1,20p' src/a.py
awk '{print $1}' log
python --version
pytest --version
pytest --help
cargo --version
head -50 Makefile; tail -5 Makefile
psql -c 'select 1'
true
cd src && pwd
[ -f Makefile ] && echo yes
make --version
env | sort
ls 2>/dev/null > /dev/null
cat a > /tmp/b
systemctl status nginx
aws s3 ls
journalctl -u shop | tail -50
sudo cat /var/log/syslog
ssh host cat /etc/hosts
timeout 5 tail -f log
"""
CHANGES = """
git commit -m "make room for pytest"
git push --force-with-lease
git push origin main
git checkout -b test
git branch test
git stash
rm -rf build
mv test.py tests/
npm install
npm ci
pip install -e .
uv add httpx
kubectl apply -f deploy.yaml
docker compose up -d
gh pr ready 133
gh pr create --fill
gh pr merge 3 --squash
sed -i s/a/b/ src/a.py
echo x > src/a.py
cat > src/a.py <<'EOF2'
curl -X POST https://example.com/deploy
curl -d a=b https://example.com
black .
ruff format .
npx prettier --write .
python manage.py migrate
psql -c 'drop table a'
sudo systemctl restart nginx
find . -name '*.pyc' -delete
find . -name '*.pyc' -exec rm {} +
terraform apply
npm run deploy
npm run storybook
pnpm --filter web run dev
npm publish
make deploy
make clean
alembic upgrade head
git tag v1
tee src/a.py
gh api -X DELETE repos/a/b
bash -c 'rm -rf build'
"""
CHECKS = """
pytest
python3.12 -m pytest -x
.venv/bin/python -m pytest tests
/srv/app/.venv/bin/pytest -q
timeout 60 pytest
time pytest
env A=b pytest
A=b C=d pytest
sudo -u app pytest
uv run pytest
uv run --with pytest-xdist pytest -n4
poetry run pytest
docker compose run --rm web pytest
docker exec -it web pytest
bash -c 'cd src && pytest'
bash -lc "pytest -q"
coverage run -m pytest
python manage.py test
npx jest
npx -y vitest run
yarn test
npm t
npm run lint
npm run test:unit
pnpm -r test
pnpm --filter web test
yarn workspace web test
bun test
go test ./...
go vet ./...
cargo +nightly clippy
./gradlew test
mvn -q -o test
dotnet test
make
make test
just check
tox
pre-commit run -a
mise run test
mise run lint:ci
hatch run test
deno task check
pdm run lint
ruff check .
ruff format --check .
black --check .
npx prettier --check .
npx tsc --noEmit
cmake --build build
docker build -t x .
python -m build --wheel
uv run python3 -m build
uv build
poetry build
flit build
docker buildx build .
bash scripts/test.sh
./scripts/run-tests
python tests/test_cart.py
bash -n script.sh
node --test
gcc -c a.c
terraform validate
! pytest
(pytest)
{ pytest; }
"""
OTHERS = """
python script.py
python build.d/run.py
python -c 'print(1)'
node server.js
./start
make run
npm start
unknown-tool --flag
"""


@pytest.mark.parametrize("command", [line for line in LOOKS.splitlines() if line])
def test_what_only_looks_is_no_check_and_changes_nothing(command: str) -> None:
    assert {each.kind for each in parts(command)} == {LOOK}


@pytest.mark.parametrize(
    ("kind", "command"),
    [
        (kind, line)
        for kind, lines in ((CHANGE, CHANGES), (CHECK, CHECKS), (OTHER, OTHERS))
        for line in lines.splitlines()
        if line
    ],
)
def test_a_command_is_what_it_is_for(kind: str, command: str) -> None:
    assert {each.kind for each in parts(command) if each.kind != LOOK} == {kind}


SAME = [
    ("pytest -q tests/a.py | tail -5", "python -m pytest tests/a.py -x"),
    ("pytest tests/a.py tests/b.py", "pytest -n 4 tests/b.py ./tests/a.py"),
    ("pytest .", "pytest --tb=short -q"),
    ("cd web && npm test", "(cd ./web; npm run test)"),
    ("npm --prefix web test", "cd web && yarn test"),
    ("make -C sub test", "cd sub && make test"),
    ("go test ./...", "go test -count=1 -v ./..."),
    ("npx jest src/a.test.ts", "yarn jest src/a.test.ts --verbose"),
    ("ruff check", "uv run ruff check . --output-format=concise"),
    ("cargo test -p shop", "cargo test --quiet -p shop"),
    ("mvn clean test", "./mvnw -q test"),
    ("timeout 60 env A=b pytest tests/a.py", "A=c pytest tests/a.py 2>&1"),
    ("bash -c 'pytest tests/a.py'", "pytest tests/a.py"),
    ("tsc -p web", "cd web && tsc --noEmit"),
    ("docker build -t shop:2 .", "docker buildx build --cache-from r.example/shop:c --push -t shop:2 ."),
]
DIFFERENT = [
    ("pytest tests/a.py", "pytest tests/b.py"),
    ("pytest tests/a.py", "pytest tests/a.py -k name"),
    ("cd web && npm test", "cd api && npm test"),
    ("npm test", "npm run lint"),
    ("make test", "make lint"),
    ("make", "make test"),
    ("ruff check .", "ruff format --check ."),
    ("gradle test", "gradle lint"),
    ("flake8 src", "pylint src"),
    ("mix test", "mix compile"),
    ("mise run test", "mise run lint"),
    ("git push", "git push --force"),
    ("mv a b", "mv b a"),
    ("./scripts/test.sh", "./scripts/lint.sh"),
    ("cargo test", "cargo clippy"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_the_same_check_in_other_words_is_the_same(one: str, other: str) -> None:
    assert part(one).key == part(other).key


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_another_tool_target_or_folder_is_another_check(one: str, other: str) -> None:
    assert part(one).key != part(other).key


@pytest.mark.parametrize(
    ("later", "earlier", "closes"),
    [
        ("pytest", "pytest tests/a.py", True),
        ("pytest", "pytest tests/a.py -k name", True),
        ("pytest tests", "pytest tests/unit/a.py", True),
        ("pytest tests/a.py", "pytest tests/a.py::test_x", True),
        ("pytest tests/a.py", "pytest tests/a.py -k name", True),
        ("pytest tests/a.py", "pytest", False),
        ("pytest tests/a.py -k name", "pytest tests/a.py", False),
        ("pytest tests/a.py", "pytest tests/a.pyx", False),
        ("pytest -k name", "pytest", False),
        ("pytest -m 'not slow'", "pytest tests/a.py", False),
        ("cd web && npm test", "cd api && npm test", False),
        ("cd web && npm test", "npm test", False),
        ("cd /home/me/shop && pytest", "pytest tests/a.py", True),
        ("cd /home/me/shop && pytest", "cd /home/me/other && pytest", False),
        ("npm test", "npm run lint", False),
        ("make", "make test", False),
        ("cargo test", "cargo test -p shop", True),
        ("git push", "git push --force", False),
        ("git push", "git push", True),
        ("git push -u origin dark-mode", "git push", True),
        ("git push origin a", "git push origin b", False),
        ("helm upgrade web ./chart --atomic --timeout 10m", "helm upgrade web ./chart --atomic", True),
        ("kubectl rollout status deploy/web --timeout=120s", "kubectl rollout status deploy/web --timeout=60s", True),
        ("npm install --retries 9 left-pad", "npm install --retries 2 left-pad", True),
        ("helm upgrade web ./chart", "helm upgrade web ./chart --timeout 10m", True),
        ("kubectl rollout status deploy/api --timeout=120s", "kubectl rollout status deploy/web --timeout=60s", False),
        ("kubectl scale deploy/web --replicas 3", "kubectl scale deploy/web --replicas 5", False),
        ("npm install --legacy-peer-deps", "npm install", True),
        ("npm install left-pad", "npm install", False),
        ("terraform apply -target=module.a", "terraform apply", False),
        ("kubectl apply -f b.yaml", "kubectl apply -f a.yaml", False),
        ("python -m build", "python3 -m build --wheel", True),
        ("python -m build --sdist", "python -m build --wheel", False),
        ("npm run icons", "npm run fonts", False),
        ("ruff check .", "ruff check src", True),
        ("ruff check src", "ruff check .", False),
    ],
)
def test_a_pass_closes_failures_of_the_same_tool_on_no_more_than_it_covers(
    later: str, earlier: str, closes: bool
) -> None:
    assert covers(part(later), part(earlier)) is closes


def test_words_in_quotes_comments_and_here_documents_are_no_commands() -> None:
    command = "cat <<'EOF' > notes.md  # pytest\npytest && make\nEOF\necho 'a; pytest' \"b && make\" $(pytest) # make"
    assert [(each.kind, each.tool) for each in parts(command)] == [(CHANGE, "cat"), (LOOK, "echo")]


def test_commands_inside_loops_conditions_and_groups_are_found() -> None:
    command = (
        "if ruff check .; then for f in a b; do pytest $f; done; else { mypy src; }; fi; case $x in a) make ;; esac"
    )
    assert [each.tool for each in parts(command) if each.kind == CHECK] == ["ruff check", "pytest", "mypy", "make"]

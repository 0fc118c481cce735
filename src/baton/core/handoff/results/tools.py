"""The tools whose success says something about the work: how each is called, and how its arguments are read.

A new tool is one line here and, if its output has a form of its own, one in `readers`.
"""

from __future__ import annotations

from baton.core.risk.line import words
from baton.core.value import value


@value
class Tool:
    """`name` is empty for a tool that goes by its program and verb. `verbs` are the first words that make it a check,
    empty if it always is one; `needs` are flags without which it changes files instead. Options in `valued` take a
    value that says nothing, those in `selects` narrow what is checked (`-k=` with a value, `--lf` without), and those
    in `places` name where it runs.
    """

    name: str
    reader: str = ""
    verbs: str = ""
    needs: str = ""
    valued: str = ""
    selects: str = ""
    places: str = ""
    goals: bool = False
    """Whether what it is pointed at are tasks: `gradle test` and `gradle lint` are two checks."""


_IMAGE = (
    "-t --tag -f --file --build-arg --platform --progress -o --output --cache-from --cache-to --secret --ssh --label "
    "--network --builder --build-context --iidfile --metadata-file --add-host --shm-size -m --memory"
)
"""Options of `docker build` and `docker buildx build`: they say how an image is built, not which."""
_PYTEST = Tool(
    "pytest",
    "pytest",
    valued="-n --numprocesses --tb --maxfail -p -c --config-file --cov-report --cov-config --cov-fail-under "
    "--durations --timeout -o -W --color --junitxml --junit-xml --log-cli-level --log-level --dist -r "
    "--confcutdir --basetemp --import-mode --capture --show-capture "
    "--hypothesis-profile --hypothesis-seed --reruns --random-order-seed",
    selects="-k= -m= --deselect= --ignore= --lf --last-failed --sw --stepwise --nf",
    places="--rootdir",
)
_PACKED_TO = "-o --outdir --out-dir --output -C --config-setting --installer --python"
_PACKED = "--wheel -w --sdist -s --format= -f= --package="
_JEST = "-w --maxWorkers --config --reporters --coverageDirectory --testTimeout --reporter --coverageReporters --pool"
_NAMED = "-t= --testNamePattern= --onlyChanged --onlyFailures"
_GO = "-run= -bench= -short"
_GO_VALUED = "-count -timeout -p -parallel -cpu -coverprofile -tags -benchtime -ldflags -o -mod -covermode -coverpkg"
_CARGO_VALUED = "--features -F --target --profile -j --jobs --target-dir --color --message-format -Z"
_CARGO_SELECTS = "-p= --package= --test= --bin= --example= --lib --bins --tests --doc --exclude="
_MAVEN = "-P --activate-profiles -T --threads -s --settings"
_GRADLE = "--max-workers --console -I --init-script"
_DOTNET = "-c --configuration -f --framework -r --runtime -v --verbosity --logger -l --results-directory -o --collect"

_CHECKS: tuple[tuple[str, Tool], ...] = (
    ("pytest py.test", _PYTEST),
    ("unittest", Tool("unittest", "unittest", valued="-s -p -t", selects="-k=")),
    ("manage.py django-admin", Tool("django test", "unittest", verbs="test", valued="--settings --parallel -v")),
    ("manage.py django-admin", Tool("django check", "any", verbs="check")),
    ("nose2 nosetests trial stestr", Tool("unittest", "unittest")),
    ("pyproject-build", Tool("python build", "any", valued=_PACKED_TO, selects=_PACKED)),
    ("uv poetry flit", Tool("", "any", verbs="build", valued=_PACKED_TO, selects=_PACKED)),
    ("tox", Tool("tox", "any", selects="-e= -m= -f=", valued="-c -p --workdir")),
    ("nox", Tool("nox", "any", selects="-s= --session= --sessions= -e= -k= -t=", valued="-f --noxfile -p")),
    ("jest", Tool("jest", "jest", valued=_JEST, selects=_NAMED, places="--rootDir")),
    ("react-scripts", Tool("jest", "jest", verbs="test", valued=_JEST, selects=_NAMED)),
    (
        "react-scripts vite next nuxt astro ng vue-cli-service webpack rollup tsup esbuild parcel",
        Tool("", "any", verbs="build"),
    ),
    ("vitest", Tool("vitest", "vitest", valued=_JEST, selects=f"{_NAMED} --project=", places="--root --dir")),
    (
        "mocha",
        Tool("mocha", "mocha", valued="-r --require -R --reporter -t --timeout", selects="-g= --grep= -f= --fgrep="),
    ),
    ("ava tap tape uvu c8 nyc", Tool("", "any")),
    (
        "playwright",
        Tool(
            "playwright",
            "playwright",
            "test",
            valued="--reporter --workers -j --retries --timeout -c --config",
            selects="-g= --grep= --project=",
        ),
    ),
    ("cypress", Tool("cypress", "mocha", "run open", valued="-b --browser --config", selects="-s= --spec=")),
    ("go", Tool("go test", "go", "test", valued=_GO_VALUED, selects=_GO, places="-C")),
    ("gotestsum", Tool("go test", "go", valued=f"--format -f --junitfile {_GO_VALUED}", selects=_GO)),
    ("go", Tool("go vet", "go build", "vet", valued="-vettool")),
    ("go", Tool("go build", "go build", "build", valued=_GO_VALUED)),
    ("golangci-lint", Tool("golangci-lint", "any", "run", valued="--timeout -c --config")),
    ("staticcheck govulncheck errcheck revive", Tool("", "any")),
    ("gofmt", Tool("gofmt", "", needs="-l -d")),
    (
        "cargo",
        Tool(
            "cargo test",
            "cargo",
            "test t nextest",
            valued=_CARGO_VALUED,
            selects=_CARGO_SELECTS,
            places="--manifest-path",
        ),
    ),
    (
        "cargo",
        Tool(
            "cargo clippy", "clippy", "clippy", valued=_CARGO_VALUED, selects=_CARGO_SELECTS, places="--manifest-path"
        ),
    ),
    (
        "cargo",
        Tool(
            "cargo check", "clippy", "check c", valued=_CARGO_VALUED, selects=_CARGO_SELECTS, places="--manifest-path"
        ),
    ),
    (
        "cargo",
        Tool(
            "cargo build",
            "clippy",
            "build b bench doc",
            valued=_CARGO_VALUED,
            selects=_CARGO_SELECTS,
            places="--manifest-path",
        ),
    ),
    ("cargo", Tool("cargo fmt", "", "fmt", needs="--check")),
    ("cargo", Tool("", "any", "deny audit machete hack")),
    (
        "rustc gcc g++ cc c++ clang clang++ javac kotlinc scalac ghc nasm",
        Tool("", "compile", valued="-o -I -L -std -l -x -D -d -cp"),
    ),
    (
        "ctest",
        Tool(
            "ctest",
            "ctest",
            valued="-j --parallel -C --build-config --timeout",
            selects="-R= -E= -L=",
            places="--test-dir",
        ),
    ),
    (
        "cmake",
        Tool(
            "cmake build",
            "make",
            needs="--build",
            valued="-j --parallel --config",
            selects="--target= -t=",
            places="--build",
        ),
    ),
    ("meson", Tool("", "any", "test compile")),
    ("ninja", Tool("ninja", "make", valued="-j", places="-C")),
    (
        "mvn mvnw",
        Tool(
            "maven",
            "maven",
            valued=_MAVEN,
            selects="-Dtest -Dit.test -pl= --projects=",
            places="-f --file",
            goals=True,
        ),
    ),
    (
        "gradle gradlew",
        Tool("gradle", "gradle", valued=_GRADLE, selects="--tests=", places="-p --project-dir -b", goals=True),
    ),
    (
        "rspec",
        Tool(
            "rspec",
            "rspec",
            valued="-f --format -r --require --seed",
            selects="-e= --example= -t= --tag= --only-failures",
        ),
    ),
    ("rake rails", Tool("", "any", "test spec default rubocop test:system test:all spec:all")),
    (
        "phpunit",
        Tool("phpunit", "phpunit", valued="-c --configuration --log-junit", selects="--filter= --group= --testsuite="),
    ),
    ("pest paratest", Tool("phpunit", "phpunit", selects="--filter= --group=")),
    ("artisan", Tool("phpunit", "phpunit", "test", selects="--filter=")),
    ("phpstan psalm phpcs", Tool("", "any", "analyse analyze")),
    ("dotnet", Tool("dotnet test", "dotnet", "test", valued=_DOTNET, selects="--filter=")),
    ("dotnet", Tool("dotnet build", "dotnet build", "build publish", valued=_DOTNET)),
    ("dotnet", Tool("dotnet format", "any", "format", needs="--verify-no-changes")),
    ("msbuild", Tool("dotnet build", "dotnet build")),
    ("mix", Tool("", "any", "test compile credo dialyzer format", selects="--only= --failed")),
    ("swift", Tool("", "any", "test build", selects="--filter=")),
    (
        "xcodebuild",
        Tool(
            "xcodebuild",
            "any",
            selects="-scheme= -only-testing=",
            valued="-project -workspace -destination -configuration -sdk -derivedDataPath",
        ),
    ),
    ("zig", Tool("", "any", "build test")),
    ("bazel bazelisk", Tool("", "any", "test build", valued="--config")),
    ("flutter dart", Tool("", "any", "test analyze build compile", selects="--name= --plain-name=")),
    ("sbt", Tool("", "any", "test compile testOnly")),
    ("lein stack cabal elm-test elm", Tool("", "any", "test check build make compile")),
    ("deno", Tool("", "any", "test check lint", selects="--filter=")),
    ("bun", Tool("bun test", "bun", "test", selects="-t= --test-name-pattern=", valued="--timeout")),
    (
        "ruff",
        Tool("ruff check", "ruff", "check", valued="--config --select --ignore --output-format --extend-select -n"),
    ),
    ("ruff", Tool("ruff format", "ruff format", "format", needs="--check --diff", valued="--config")),
    (
        "flake8 pylint pycodestyle pydocstyle vulture deptry codespell typos bandit interrogate",
        Tool(
            "",
            "flake8",
            valued="-c --config --rcfile -j --max-line-length --select --ignore --disable --enable --fail-under",
        ),
    ),
    (
        "mypy dmypy",
        Tool("mypy", "mypy", valued="--config-file --python-version --cache-dir -p -m --package --exclude", selects=""),
    ),
    (
        "pyright basedpyright",
        Tool("pyright", "pyright", valued="--pythonversion --level --threads --pythonpath", places="-p --project"),
    ),
    ("pyre pytype ty", Tool("", "any")),
    ("black", Tool("black", "black", needs="--check --diff", valued="-l --line-length -t --config")),
    ("isort", Tool("isort", "any", needs="--check --check-only -c --diff")),
    ("lint-imports", Tool("lint-imports", "any")),
    ("pre-commit", Tool("pre-commit", "pre-commit", "run", valued="--hook-stage", selects="--files=")),
    ("py_compile compileall", Tool("", "any")),
    (
        "eslint oxlint",
        Tool(
            "eslint",
            "eslint",
            valued="-c --config --ext --max-warnings --format -f --cache-location --ignore-path --rulesdir --parser",
        ),
    ),
    ("prettier", Tool("prettier", "prettier", needs="--check -c -l --list-different", valued="--config --ignore-path")),
    ("stylelint", Tool("stylelint", "eslint", valued="--config")),
    ("biome", Tool("", "biome", "check lint ci format", valued="--config-path --max-diagnostics")),
    ("tsc vue-tsc tsgo", Tool("tsc", "tsc", places="-p --project -b --build")),
    ("svelte-check", Tool("svelte-check", "any")),
    ("rubocop standardrb", Tool("rubocop", "rubocop", valued="-c --config --format -f")),
    (
        "ktlint detekt swiftlint shellcheck hadolint yamllint markdownlint markdownlint-cli2 actionlint tflint "
        "ansible-lint sqlfluff vale cspell knip",
        Tool("", "lint", valued="-c --config -s -S -e"),
    ),
    ("buf helm", Tool("", "lint", "lint template")),
    ("terraform tofu", Tool("", "terraform", "validate plan fmt", valued="-var-file -out", places="-chdir")),
    ("docker podman nerdctl", Tool("docker build", "docker", "build", valued=_IMAGE, selects="--target=")),
    ("docker podman", Tool("docker build", "docker", "buildx", valued=_IMAGE, selects="--target=")),
    ("docker-compose", Tool("docker compose build", "docker", "build")),
    (
        "turbo nx lerna moon rush",
        Tool(
            "",
            "any",
            "run test build lint check affected run-many exec",
            selects="--filter= --scope= --projects= -t= --target= -F=",
        ),
    ),
)


def find_tools(program: str) -> tuple[Tool, ...]:
    """What a program may be, the first whose verb fits counts."""
    return _BY_PROGRAM.get(program, ())


def _by_program() -> dict[str, tuple[Tool, ...]]:
    found: dict[str, tuple[Tool, ...]] = {}
    for programs, tool in _CHECKS:
        for program in programs.split():
            found[program] = (*found.get(program, ()), tool)
    return found


_BY_PROGRAM = _by_program()
TASK_RUNNERS = words("mise moon poe hatch pdm pixi rye deno")
"""Run a task of the project by `run`, or a program of that name."""
PACKAGERS = frozenset(["npm", "pnpm", "yarn", "bun", "composer"])
RUNNERS = frozenset(["make", "gmake", "just", "task", "rake", "invoke", "inv", "doit", "mage", "ant"])
CHECKING_NAMES = words(
    "test tests spec e2e check checks lint verify typecheck types build ci validate unit integration coverage compile "
    "tsc smoke"
)

"""The `baton` program."""

import gc
import sys


def main() -> int:
    """Answers the cheapest question before anything is imported."""
    arguments = sys.argv[1:]
    if arguments in (["--version"], ["-V"]):
        from baton import __version__

        sys.stdout.write(f"baton {__version__}\n")
        return 0
    gc.set_threshold(10_000, 20, 50)  # modules and entries are no garbage: looking seldom saves a twentieth
    from baton.wiring import main as wired

    code = wired(arguments)
    gc.freeze()  # the process ends now: looking for garbage in all its modules first takes a third of a second
    return code


if __name__ == "__main__":
    sys.exit(main())

"""Builds everything and starts one surface: the only place that knows adapters."""

from __future__ import annotations

import argparse

from baton.surfaces.cli.main import run
from baton.wiring.program import Program


def main(arguments: list[str]) -> int:
    made: list[Program] = []

    def make(options: argparse.Namespace) -> Program:
        made.append(Program(options))
        return made[-1]

    try:
        return run(arguments, make)
    finally:
        for program in made:
            program.close()

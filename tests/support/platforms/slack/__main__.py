"""A Slack workspace as a process: see `tests.support.platforms.admin`."""

from tests.support.platforms.admin import main
from tests.support.platforms.slack.stage import SlackStage

main(SlackStage)

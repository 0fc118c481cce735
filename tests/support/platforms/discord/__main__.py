from tests.support.platforms.admin import main
from tests.support.platforms.discord.stage import DiscordStage

main(DiscordStage)

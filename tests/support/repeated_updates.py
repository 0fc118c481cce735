"""Updates that come twice and more, in any order after the first time, while gateways are killed and started again."""

from __future__ import annotations

import random
from pathlib import Path

from baton.core.transfer.place import Place
from tests.support.gateway_crew import MessengerCrew, soon
from tests.support.messenger.service import Messenger
from tests.support.workers.gatewaying import answer

PLACES = 20
RESTARTS = 6
_LATE = 200


def repeat_updates(location: str, directory: Path, updates: int) -> str:
    """So many updates, about a third of them messages that are new. Every message is heard once, in the order of its
    first delivery in its place, and answered once.
    """
    dice = random.Random(4)
    with (
        Messenger(directory / "messenger") as messenger,
        MessengerCrew(location, directory, messenger, ["chat"]) as gateways,
    ):
        places = [messenger.room("chat", f"room{number}", "key") for number in range(PLACES)]
        said: dict[Place, list[str]] = {place: [] for place in places}
        known: list[tuple[Place, str, str]] = []
        deliveries: list[tuple[Place, str, str]] = []
        for number in range(updates):
            if not known or dice.random() < 1 / 3:
                place, text = dice.choice(places), f"word {number}"
                known.append((place, f"m{number}", text))
                said[place].append(text)
                deliveries.append(known[-1])
            else:
                deliveries.append(dice.choice(known[-_LATE:]))
        worker = gateways.start()
        for part in range(RESTARTS):
            for delivery in deliveries[part * updates // RESTARTS : (part + 1) * updates // RESTARTS]:
                messenger.says(*delivery)
            half = messenger.count("chat") - updates // RESTARTS // 2
            soon(lambda half=half: messenger.read("/chat") >= half, "half of them", 600)
            worker.kill()
            worker.close()
            worker = gateways.start()
        soon(lambda: messenger.read("/chat") >= updates and not gateways.waiting(), "all of them", 600)
        for place, texts in said.items():
            if texts:
                soon(lambda place=place, texts=texts: answered(messenger, place) == texts, f"{len(texts)} answers")
                heard = gateways.heard(gateways.at(place).id)
                assert heard == texts, f"{place.key} heard {len(heard)} of {len(texts)}"
        gateways.stop(worker)
        assert messenger.violations == []
    return f"{updates} updates, {len(known)} messages in {PLACES} places: each heard and answered once, in order"


def answered(messenger: Messenger, place: Place) -> list[str]:
    """What was answered, as what had been said. A message that a kill had repeated is a violation elsewhere."""
    return [text.removeprefix(answer("")) for text in messenger.texts(place)]

"""The languages in which a next step is understood. A language is a row here and a table of words in its file."""

from __future__ import annotations

from baton.core.risk.tongues.asian import CHINESE, JAPANESE, KOREAN
from baton.core.risk.tongues.english import ENGLISH
from baton.core.risk.tongues.french import FRENCH
from baton.core.risk.tongues.germanic import DUTCH, GERMAN
from baton.core.risk.tongues.iberian import PORTUGUESE, SPANISH
from baton.core.risk.tongues.italian import ITALIAN
from baton.core.risk.tongues.slavic import POLISH, RUSSIAN, UKRAINIAN
from baton.core.risk.tongues.tongue import ACTS, Act, Said, Tongue, compiled
from baton.core.risk.tongues.turkish import TURKISH

TONGUES: tuple[Tongue, ...] = (
    ENGLISH,
    GERMAN,
    DUTCH,
    FRENCH,
    SPANISH,
    PORTUGUESE,
    ITALIAN,
    RUSSIAN,
    UKRAINIAN,
    POLISH,
    TURKISH,
    CHINESE,
    JAPANESE,
    KOREAN,
)

__all__ = ["ACTS", "TONGUES", "Act", "Said", "Tongue", "compiled"]

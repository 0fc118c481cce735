"""Every number by which the redactor judges, and where it comes from.

Three sources, named at each group or number:

- **measured**: the figure is given with the corpus it was measured on; `tests/unit/redaction` repeats it where it is cheap.
- **format**: it follows from a published format or from another number of this page.
- **by hand**: chosen while the examples of `tests/unit/redaction` were collected. The tests named beside it fail if it
  moves; "nothing fails" means that no test notices a change by a quarter, so whoever moves it brings an example.

Lengths inside a regular expression stay in it, beside what they count. The least entropy of a vendor's token stands
with its rule in `rules/tokens.txt`.
"""

# Randomness: bits per byte and shares, of at most LONGEST_JUDGED bytes.

LONGEST_JUDGED = 256
LEAST_ENTROPY = 3.0
LEAST_ENTROPY_BESIDE_NAME = 2.5
LEAST_ENTROPY_BESIDE_VENDOR = 2.2
LEAST_ENTROPY_OF_PREFIX = 2.5
LEAST_ENTROPY_OF_BARE_TOKEN = 3.7
LEAST_ENTROPY_OF_NOISE = 4.5
LEAST_SIGNS_OF_NOISE = 0.15
LEAST_DIGITS_OF_BARE_TOKEN = 0.08
LEAST_COMMON_PAIRS = 0.6
LEAST_PRONOUNCEABLE = 0.6
LEAST_PRONOUNCEABLE_WITH_DIGITS = 0.75
LEAST_LETTERS_OF_WORDS = 0.4
LETTERS_A_WORD = 4
MOST_NUMBERS_WITHIN_WORDS = 1
CLASSES_OF_PASSWORD = 2
CLASSES_OF_SPOKEN_PASSWORD = 3
FEWEST_DIFFERENT = 3

# Lengths of values.

SHORTEST_SECRET = 4
SHORTEST_WORD = 5
SHORTEST_TOKEN = 8
SHORTEST_APART = 10
SHORTEST_WITHOUT_LETTERS = 10
SHORTEST_OF_DIGITS = 12
SHORTEST_LONG = 16
SHORTEST_RANDOM_HEX = 16
SHORTEST_NOISE = 32
SHORTEST_SCRAMBLED = 12
SHORTEST_BARE_TOKEN = 24
SHORTEST_BARE_LOWER_CASE = 30
LONGEST_BARE_TOKEN = 400
MOST_SLASHES = 2
MOST_DASHES = 6
LONGEST_LABEL = 10
LONGEST_DOTTED_NAME = 20
LONGEST_PHRASE = 30
MOST_BLANKS_OF_PHRASE = 2
LEAST_OF_PRIVATE_KEY = 16
LONGEST_PRIVATE_KEY = 65_536
LONGEST_VALUE = 4096

# Known values.

SHORTEST_KNOWN = 6
SHORTEST_KNOWN_UNNAMED = 10
SHORTEST_KNOWN_BASE64 = 8
SHORTEST_KNOWN_OTHER_CASE = 12
KNOWN_PREFIX = 12

# Distances: how far around a hit a layer looks, in bytes.

NAME_BACK = 80
FLAG_BACK = 60
SENTENCE_BACK, SENTENCE_AHEAD = 100, 512
VENDOR_BACK, VENDOR_AHEAD = 90, 512
NEIGHBOURS_AROUND = 240
NEIGHBOUR_LINES = 4
SETTING_BACK = 120
SAME_WORD_AROUND = 2000
PERSON_BACK = 200
CARRIER_BACK, CARRIER_AHEAD = 420, 520
MANIFEST_BACK, MANIFEST_AHEAD = 4096, 8192
TOKEN_BACK, TOKEN_AHEAD = 1300, 8192
BARE_TOKEN_BACK, BARE_TOKEN_AHEAD = 128, 4096
HASH_NAME_BACK = 24
NUMBER_BACK, NUMBER_AHEAD = 90, 40
WRAPPED_BACK, WRAPPED_AHEAD = 200, 600
WRAPPED_BREAK = 24
WRAPPED_LINE = 130
WRAPPED_WORD = 120
WRAPPED_TAIL, WRAPPED_HEAD = 12, 6
VIEW_AROUND = 2048
CUT_AROUND = 2048

# Work: what keeps a text that was made to be slow below a second a megabyte.

MOST_HITS = 5_000
BYTES_A_HIT = 200
SAME_HIT_BACK, SAME_HIT_AHEAD = 64, 32
UNREAD_BACK = 1_024
MOST_BREAKS = 2000
MOST_PASSES = 8
VERDICT_AROUND = 256
VERDICT_LONGEST = 300
MOST_ENV_FILES = 32
LARGEST_ENV_FILE = 1 << 20

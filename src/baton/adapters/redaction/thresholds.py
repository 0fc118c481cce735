"""Every number by which the redactor judges, and where it comes from.

- **Measured** says on what. `tests/unit/redaction/test_thresholds.py` measures it again. *Random* values are drawn from
  62 letters and digits unless something else is said; *names* are those of Python's standard library with
  eight characters or more, 7,852 in 3.11.
- **Format** follows from a published format, from a pattern, or from another number of this page.
- **By hand** was chosen while the examples of `tests/unit/redaction` were collected. Each was moved by a quarter, down
  and up, over those examples and over 3.6 MB of installed Python modules, in which nine places are cut: the tests named
  are those whose examples change then. *Free* means that none does: whoever moves such a number brings an example.

Lengths inside a regular expression stay there, beside what they count. How random a vendor's token must be stands with
its rule in `rules/tokens.txt`.
"""

# Randomness: bits per byte by a value's own frequencies, and shares of its bytes.

LEAST_ENTROPY = 3.0
"""Of a value that looks random. Measured: 99 % of random values of 12 characters have it, all of 16. So have
67 % of the names, which is why `is_wordlike` decides too. Held by
test_a_random_value_beside_a_telling_name_is_taken_out."""

LEAST_ENTROPY_BESIDE_NAME = 2.5
"""Where a name says half of it. Measured: 98 % of random values of 8 characters have it.
Held by test_a_random_value_beside_a_telling_name_is_taken_out."""

LEAST_ENTROPY_OF_KEY = 1.8
"""Of a key of sixteen characters and more: less is zeros with a number behind them. Measured: all random values of 16
hexadecimal digits have it."""

LEAST_ENTROPY_BESIDE_VENDOR = 2.2
"""Where a vendor's name stands before it. Measured: 99.9 % of random values of 8 characters have it. By hand; free."""

LEAST_ENTROPY_OF_PREFIX = 2.5
"""Of the beginning by which a known value that was cut short is still known. By hand; held by
test_a_value_cut_short_is_known_as_far_as_it_goes."""

LEAST_ENTROPY_OF_BARE_TOKEN = 3.7
"""Where nothing stands beside it. Measured: 99.9 % of random values of 24 characters have it, 75 % of 16.
Held by test_a_random_value_is_taken_there_too and test_whatever_is_known_is_gone."""

LEAST_ENTROPY_OF_NOISE = 4.5
"""Of a key drawn from all 94 signs of the keyboard. Measured: 94 % of those of 32 characters have it.
Held by test_keys_of_every_sign_on_the_keyboard_are_taken_blanks_and_all."""

LEAST_SIGNS_OF_NOISE = 0.15
"""Share of signs that are neither letters nor digits. Measured: 99 % of such keys of 32 characters have it. Free."""

LEAST_DIGITS_OF_BARE_TOKEN = 0.08
"""Share of digits. Measured: 92 % of random values of 24 characters have it. Held by
test_every_format_is_found_in_every_carrier_and_called_by_its_name."""

LEAST_COMMON_PAIRS = 0.6
"""Share of a word's pairs of letters that are among the commonest. Measured: 95 % of the 2,845 words in the names have
it, 19 % of six random letters, 5 % of eight. Held by test_variables_labels_and_code_stay_in_the_same_places."""

LEAST_PRONOUNCEABLE = 0.6
LEAST_PRONOUNCEABLE_WITH_DIGITS = 0.75
"""Share of letters in pronounceable words. Measured with the four below: 94 % of the names are made of words, 3 % of
random values of 8 characters, 0.1 % of 16. By hand; held by test_what_names_a_secret_without_holding_one_stays and
test_carriers_are_found_without_hyperscan."""

LEAST_WORDS_OF_NAME = 0.55
"""Share of a token that is words of three letters and more, whatever stands between them. Measured: 1 % of random
values of 24 characters have it, 0.4 % of 32. Held by test_names_in_programs_are_no_tokens."""

LONGEST_STRETCH = 10
"""Letters or digits in their order, which no random value has. Held by test_names_in_programs_are_no_tokens."""

SHORTEST_ALPHABET = 30
"""All of them different, as the letters are from which something is drawn. Measured: 0.02 % of random values of 30
characters are. Held by test_alphabets_and_counts_are_no_tokens."""

SHORTEST_IN_ORDER = 20
"""Of letters alone, or digits alone, that stand in their order in the place of a key. By hand; free."""

LEAST_IN_ORDER = 0.6
"""Share of characters, or of bytes in hexadecimal, that are one more than the one before. No random value has it."""

LEAST_HEX = 0.9
"""Share of an id's letters and digits that are hexadecimal. Measured: no random value of 24 characters has it."""

LEAST_SURPRISE, LEAST_SURPRISE_OF_SHORT = 11.0, 7.0
LEAST_SURPRISE_BESIDE_NAME = 6.0
LEAST_SURPRISE_OF_BARE_TOKEN = 25.0
"""Of the best stretch of a value (`grain.py`), from twelve characters on and below. Measured on 631,000 names of 382
packages, of those not seen: 96 % have less than the first, 90 % less than the third, 99 % less than the last. 99 % of
random values of 12 letters and digits have the first, 99 % of 8 the second, 99.9 % of 24 the last."""

LEAST_SURPRISE_OF_LETTERS = 15.0
"""Of letters in a name of a file that says password, and of small ones with a digit within. Measured: 96 % of 11 random
letters have it, 0.4 % of the names of Python's library with capitals within."""

LEAST_SURPRISE_OF_PASSWORD, LEAST_SURPRISE_OF_TOKEN = 1.0, 3.0
LONGEST_WORD = 40
LEAST_DRAWN = 0.6
"""Of a single word beside a name that says password, and in quotes beside one that says token. Measured: 94 % of four
random small letters have the first, 99 % of seven, and 37 to 40 % of the words that Python's library has in quotes;
95 % of seven have the second, and 18 % of those words. The third is the share of letters in parts that have the first,
by hand. In 71 MB of programs that nobody had chosen the three cut two places more than without."""

LEAST_LETTERS_OF_WORDS = 0.4
"""Share of letters in a value made of words. By hand; free but for one known value in disguise."""

LETTERS_A_WORD = 4
"""On average, at least: more words in as many letters are not words. By hand; held by
test_what_names_a_secret_without_holding_one_stays. With 5, eight places more are cut in the modules."""

MOST_NUMBERS_WITHIN_WORDS = 1
"""Numbers between two letters: `utf8text` is words, `a1b2c3` is not. By hand; held by
test_carriers_are_found_without_hyperscan. With 0, eighteen places more are cut in the modules."""

CLASSES_OF_PASSWORD = 2
CLASSES_OF_SPOKEN_PASSWORD = 3
"""Of capitals, small letters, digits and signs, in an assignment and in a sentence. By hand; the first is free, the
second held by test_a_vendor_s_key_needs_no_operator."""

FEWEST_DIFFERENT = 3
"""Different characters: `xxxx` and `0101` hold no secret. By hand; free."""

LONGEST_JUDGED = 256
"""Bytes of a value that are judged: more take time and decide nothing. By hand; free."""

# Lengths of values, in bytes.

SHORTEST_SECRET = 4
"""Format: most patterns of `carriers` ask for four characters too. Free."""

SHORTEST_WORD = 5
"""Of a password that is a plain word: shorter ones are code. By hand; held by
test_variables_labels_and_code_stay_in_the_same_places. With 4, two places more are cut in the modules."""

SHORTEST_TOKEN = 8
"""Format: the shortest keys of `rules/vendors.txt`. With 10, one place fewer is cut in the modules."""

SHORTEST_APART = 10
"""Of a value that does not stand right beside its name. By hand; held by
test_a_word_is_taken_where_only_a_password_can_stand."""

SHORTEST_WITHOUT_LETTERS = 10
SHORTEST_OF_DIGITS = 12
"""Longer than a date, and than a time in seconds. By hand; free."""

SHORTEST_LONG = 16
"""From here on a value must look random where its length would not surprise as a word. By hand; held by
test_a_random_value_is_taken_there_too."""

SHORTEST_RANDOM_HEX = 16
"""64 bits; shorter ones are abbreviated commits. By hand; free."""

SHORTEST_HASH = 32
"""Format: MD5 in hexadecimal."""

SHORTEST_NOISE = 32
"""By hand; free."""

SHORTEST_SCRAMBLED = 12
"""Of brackets that do not match, which say that a value is no template. By hand; free."""

SHORTEST_BARE_TOKEN = 24
SHORTEST_BARE_LOWER_CASE = 30
"""Of tokens that stand alone; without capitals they look more like identifiers. By hand; the first is held by
test_a_random_value_is_taken_there_too, the second is free. With 30 instead of 24, one place fewer is cut in the
modules."""

LONGEST_BARE_TOKEN = 400
"""Longer runs are pictures and other data. By hand; free."""

SHORTEST_OF_DATA, LONGEST_OF_DATA = 60, 120
"""A line of data in base64: PEM has 64 characters, MIME 76. By hand; held by test_data_in_lines_is_no_token."""

MOST_SLASHES = 2
MOST_DASHES = 6
"""In a token that stands alone: more make it a path or a name. By hand; free."""

LONGEST_ALGORITHM = 24
"""`AES_256_CBC_HMAC_SHA_256`. Format."""

LONGEST_LABEL = 10
LONGEST_DOTTED_NAME = 20
"""Below, a bare word with a number is a label, and `a.b` is an expression. By hand; the second is held by
test_a_random_value_beside_a_telling_name_is_taken_out."""

LONGEST_PHRASE = 30
MOST_BLANKS_OF_PHRASE = 2
"""Of a pass phrase beside a user or a server: longer ones are sentences. By hand; free."""

SHORTEST_PIN = 4
LONGEST_TYPED = 128
LONGEST_TYPED_PHRASE, MOST_WORDS_OF_PHRASE = 160, 8
"""Of a password as people type it: the digits of a PIN, one word or mix, several words on one line. By hand; held by
the examples of `speech`, `tables` and `carriers`."""

LEAST_OF_PRIVATE_KEY = 16
"""Bytes between `BEGIN` and `END` that are more than the words around a key. By hand; free."""

SHORTEST_PICTURE = 400
"""Of a run of base64 that is data and not a token. By hand."""

LONGEST_PRIVATE_KEY = 65_536
"""More than any key: an RSA key of 16,384 bits has some 13 kB. Free."""

LONGEST_VALUE = 4096
"""Between quotes; what is not closed by then was not opened. By hand; free."""

# Known values, which are cut wherever they stand: too short a one would cut ordinary text.

SHORTEST_KNOWN = 6
SHORTEST_KNOWN_UNNAMED = 10
"""Of a value whose name says secret, and of one that only looks random. By hand; free."""

SHORTEST_KNOWN_BASE64 = 8
SHORTEST_KNOWN_OTHER_CASE = 12
"""Of its base64 without the characters neighbours change; of its upper and lower case. By hand; free."""

SHORTEST_ANYWHERE = 8
SHORTEST_ANYWHERE_OF_WORDS = 10
SHORTEST_NUMBER_ALONE = 6
SHORTEST_PHRASE = 14
"""Of a value that was recognised once, to be looked for again (`reach.py`): within other text, random or made of words
with capitals, digits or signs; as a word by itself, of digits or of three words. By hand; held by
test_what_is_remembered_is_looked_for_as_far_as_its_look_allows."""
LONGEST_KNOWN = 4096
LONGEST_ENCODED = 1024
MOST_KNOWN_LINES = 64
"""Of a value that is remembered, and of one that is looked for in encodings too; lines of a key. By hand."""
MOST_WITH_ENCODINGS = 100
"""Values of one text that are looked for in every encoding; more of them only as they are. Measured: 100 take 60 ms,
200 take 140."""

KNOWN_PREFIX = 12
"""A value cut short is still known by this many characters. By hand; held by
test_a_known_value_never_survives_a_disguise."""

# Distances: how far around a hit a layer looks, in bytes. Format: as far as its pattern can match, and some more.

NAME_BACK = 80
"""A name of up to 40 characters and as many between it and the operator."""
FLAG_BACK = 60
TAG_AHEAD = 512
PAIR_BACK = 160
SENTENCE_BACK, SENTENCE_AHEAD = 100, 512
VENDOR_BACK, VENDOR_AHEAD = 90, 512
CARRIER_BACK, CARRIER_AHEAD = 420, 520
"""A link has up to 128 characters before and 256 after its colon; a password in one up to 512."""
TOKEN_BACK, TOKEN_AHEAD = 1300, 8192
"""The longest rule of `rules/tokens.txt` has up to 1,000 characters and something before them."""
BARE_TOKEN_BACK = 128
HASH_NAME_BACK = 48
CARD_BACK = 200
"""How far before a number in code a word for a card may stand. By hand; held by
test_numbers_of_programs_are_no_cards."""
NUMBER_BACK, NUMBER_AHEAD = 90, 40
HEALTH_BACK, HEALTH_AHEAD = 120, 160
PERSON_BACK = 200
HEALTH_NEAR = 160
"""How far from a date of birth a word about a patient stands. By hand."""

PUBLIC_BACK, PUBLIC_AHEAD = 200, 60
LONGEST_ARMOUR = 20_000
LONGEST_ARN = 90
SHORTEST_PUBLIC = 12
"""What stands before a hash or a public key, and how long a certificate or public key between `BEGIN` and `END` is."""

LONGEST_ROW = 2_000
"""Of a table. By hand."""

SPEECH_BACK, SPEECH_AHEAD = 120, 200
"""A sentence around the word for a password. By hand."""

CLAUSE_BACK, CLAUSE_AHEAD = 60, 160
"""How far from a verb of change a password's new value may stand, and from its word one in a later clause. By hand."""

LIST_HEAD, MOST_LISTED = 80, 32
"""From the word that heads a list of secrets to the first of them, and how many are read. By hand."""

FILE_NAME_BACK, FILE_NAME_AHEAD = 80, 60
"""A name of a file around the word for a password. By hand."""

CODE_BACK, CODE_AHEAD = 80, 80
"""A sentence around the word for a PIN. By hand."""

NAMES_AROUND = 2_000
"""Where a password is looked for as the name of a user or a service. By hand: a file of settings."""

CODE_AROUND = 300
"""Where lines of code are looked for. By hand."""

STATEMENTS_AROUND, FEWEST_STATEMENTS, LITERAL_BACK = 700, 4, 4_000
"""Of a program in which a bare word is a name (`literals.py`), and how far back a string of several lines is looked
for. By hand; held by test_a_bare_word_of_a_program_is_no_secret."""
PROGRAM_LINE = 400
"""How far back the quote or the comment is looked for that a value may stand in. By hand."""
HEAD_ENDS = 12
"""How far before its colon the bracket of a function's head stands. By hand."""
SHORTEST_CALLED_SO = 6
"""Of a value that the name beside it ends with. By hand."""
LONGEST_NAME = 120
LONGEST_PLACE_HOLDER = 24
"""Of a name in a program, and of a word that holds a place, such as `not-a-real-password`. By hand."""
LONGEST_FIXTURE, LEAST_COUNTED = 40, 0.7
"""Of a value that says what it is, and the share of one that counts (`fixtures.py`). By hand; held by
test_no_random_value_counts_or_says_what_it_is."""
TEST_AROUND, FEWEST_TEST_MARKS = 4_000, 3
"""Of a test in which a value is expected that was given (`tested.py`). By hand."""
SESSION_BACK, LONGEST_DOCSTRING = 500, 16_000
"""From a value back to the prompt of a session that documentation shows, and to where the documentation begins
(`tested.py`). By hand."""
EXPECTED_BACK, MOST_TIMES_EXPECTED = 320, 16
"""From what is expected back to the word that says so, and how many places are looked at. By hand."""
MOST_LINES_OF_VALUE, FEWEST_LINES_OF_DATA, SHORTEST_SIGNATURE = 120, 3, 64
"""Of a public value that goes on over several lines (`continued.py`). By hand: a certificate has 60. A signature that
lets one in, as PayPal's, has 56."""
FEWEST_ESCAPED_BYTES = 24
"""In a row, of data that a program carries byte by byte. By hand."""
ADDRESS_AROUND = 600
"""Where a word says that a value is the address of an account. By hand."""
SHORTEST_TABLE, MOST_SIGNS_OF_VALUE = 120, 0.15
"""Of a table that is packed into a string (`carried.py`). By hand; held by test_data_that_a_program_carries_stays."""

LABEL_BACK, LABEL_AHEAD = 120, 40
FAMILY_AROUND, FAMILY_BEGINS = 2000, 10
FEWEST_OF_FAMILY, FEWEST_OTHER_NAMES, FEWEST_CALLS_ALIKE = 2, 4, 6
PAGE_AROUND, CALLS_AROUND = 1500, 8000
"""Of what is called like a secret and is none (`labels.py`, `ids.py`): where its name stands, where other names begin
with the same letters, how many have the same value, how many calls look alike and where, and where a link shows the
same id. By hand; held by test_labels.py."""

NEIGHBOURS_AROUND, NEIGHBOUR_LINES = 240, 4
SETTING_BACK = 120
SAME_WORD_AROUND = 2000
"""Where a user, a server or the same word is looked for. By hand. The examples for and against are in
test_a_word_is_taken_where_only_a_password_can_stand and test_variables_labels_and_code_stay_in_the_same_places."""

WRAPPED_BACK, WRAPPED_AHEAD = 200, 600
WRAPPED_BREAK, WRAPPED_LINE, WRAPPED_WORD = 24, 130, 120
WRAPPED_TAIL, WRAPPED_HEAD = 12, 6
"""A token across lines: what is joined around a break, how long lines in a row may be, and how much of a token must
stand before and after a break. By hand; test_a_token_broken_by_a_line_end_is_found_whole breaks every format of 30 to
120 characters after two thirds."""

LEAST_RECOVERY_WORDS, MOST_RECOVERY_WORDS = 12, 24
RECOVERY_BACK, RECOVERY_AHEAD = 110, 220
"""Format: BIP-39 phrases have twelve to twenty-four words of three to eight letters."""

VIEW_AROUND = CUT_AROUND = 2048
"""What is read again around a hidden character or a cut: more than any pattern but a manifest's reaches back."""

# Work: what bounds the CPU of a megabyte that was made to be slow (`python -m bench --only redaction`,
# counted in tests/unit/redaction/test_work.py).

MEGABYTE = 1_000_000
MOST_WORK = 55_000
MOST_FINDS = 300
MOST_RECOGNISED = 2_000
"""What a text of up to a megabyte may cost, and a longer one for each; and how many finds are looked at once more,
where they are only cut and where they are to be remembered: what a conversation has told is read as one text.
Measured: logs and lock files cost up to 30,000 a megabyte, settings that refer to passwords 53,000, talk about nothing
but passwords 84,000: of that two thirds are read closely."""
PRICES = {"assignments": 4, "bare_tokens": 3, "vendors": 8, "personal": 1, "listed": 1}
LOOK, FIND = 2, 30
"""Of a close look, by the module of its layer (others cost `LOOK`), and of a find, which has passed every question.
Measured: 1 is some 8 µs."""
LINES_BELOW = {"assignments": 1, "vendors": 1, "speech": 1, "carriers": 1, "line_values": 0, "bare_tokens": 0}
"""Layers whose every look is counted and whose value stands on the line of its place, or so many lines below."""
MOST_VERDICTS = 2_000
"""That are kept to be used again. By hand."""
LONGEST_UNREAD_NAME = 128
"""Between two values that are cut without a look only a name stands. Format: `work` lets one have 90 characters."""
UNREAD_BACK, MOST_EMPTY_LINES = 1_024, 2
"""Bytes that a value may begin before the place that gave it away, and empty lines between them."""
MOST_PASSES = 8
"""Cuts may uncover something; after so many passes whole lines are cut. By hand."""
VERDICT_AROUND, VERDICT_LONGEST = 256, 300
"""What must be the same around a value, and of it, for a verdict to be used again."""
MOST_NAMES_WITH_WORD, ABOUT_AROUND = 8, 50_000
"""Names that hold a plain word which is a password too, and where they are counted: more, and a text is about the word.
By hand; held by test_a_text_may_be_about_the_word_that_is_its_password."""
MOST_ENV_FILES = 32
LARGEST_ENV_FILE = 1 << 20
DEEPEST_ENV_FILE = 5
MOST_ENV_DIRECTORIES, MOST_ENV_NAMES = 400, 10_000
"""Of a workspace's `.env` files: how many and how large, how deep they are looked for, in how many folders and among
how many names. By hand. Measured: 160 folders take 18 ms of CPU on a busy machine."""

# Prose.

PASSAGE_BACK, PASSAGE_AHEAD = 160, 240
"""Bytes of a passage before its first cue and behind its last. By hand; free."""

MOST_LINES_BELOW = 3
"""Lines behind a cue in which its answer may stand. By hand; free."""

MOST_PASSAGES, MOST_ASKED, MOST_ASKED_LATE = 2_000, 4_000, 500
"""Of a text that are judged word by word, and words in them that are weighed, fewer where other layers have spent all
that a text may cost. By hand: a word takes some tens of µs.
Ordinary text has a dozen passages a megabyte; talk about nothing but passwords has six such words in each."""

LEAST_LIKENESS = 0.5
"""Of a word that is taken for a secret, in log-odds. Measured by `python -m bench.secret_training`: above it 1.4 words
a MB of documents are taken."""

USER_BACK = 16
"""Before a password in `user:password`: room for a word that holds a user's place, its quotes and the colon. Follows
from the words."""

# Forms that hold a place.

SHORTEST_HIDDEN = 12
"""Of one sign in a row where a value is not shown. By hand: of tokens drawn from 62 letters one in 60^11 has that."""

LONGEST_STRETCH_OF_FORM = 256
"""Of what may only show a form. By hand; free."""

BOUNDARY_BACK = 8_192
"""Before a line that parts a message, for the header that says how they look. By hand; free."""

LEAST_TEXT = 0.75
"""Of bytes that can be read, where base64 says something. By hand: of random bytes 37 % can."""

TRANSLATED_AROUND, LONGEST_TRANSLATED = 1_500, 800
FEWEST_TRANSLATED, LEAST_TRANSLATED = 5, 0.5
"""How far around a text that a name is given others must be words of a screen, how many and what share of them; beside
a single English word, which could be a password, twice as many and a tenth more. By hand."""

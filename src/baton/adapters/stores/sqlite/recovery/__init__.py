"""Reading a damaged database without SQLite, from the bottom up.

pages      the file and its write-ahead log as numbered pages
cells      b-trees, page by page, cell by cell
fields     what each field of a row can be
salvage    every readable row, and what indexes tell of the others
transcript entries that fit their checksum, and notes in place of those that do not
lineage    sessions, with what is missing filled in from their relatives
belongings packets, drafts, transfers, bindings and mail, each with the conversation it belongs to
rebuild    conversations, whole again or with their losses named
"""

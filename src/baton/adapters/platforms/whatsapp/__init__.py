"""WhatsApp, through Meta's Cloud API: calls go to the Graph API, messages come to a webhook of ours.

Who somebody is. `wa_id` is their telephone number; from 2026 Meta also gives a business-scoped id (`user_id`), and only
that for people who hide their number. A person is known by the number as long as there is one. The first scoped id seen
with a number is remembered, so that later messages without the number are still theirs. A number that comes with
another scoped id has passed to somebody else, who is then known by that id only.

What is delivered again. Meta repeats a call until it is answered with 200, for up to seven days, and whoever has a
signed body may post it again. Both arrive under the same id, which the inbox knows. Only what is older than eight days
is skipped, because by then the inbox may have forgotten it.

What a person may see twice. Meta compares no key of a message. Ours goes along as `biz_opaque_callback_data` and comes
back in the message's status, so `find` can say that a message was sent, but its silence proves nothing: `once` is
"none".

Meta takes free text only within 24 hours of the person's last message; after that it must be an approved template. Some
of these refusals arrive only later, as a status; the next message to this person is then refused at once.
"""

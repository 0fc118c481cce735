"""Discord: a bot account, its events over the gateway, everything else over the REST API.

discord.py holds the gateway's connection: heartbeats, compression, resumed sessions. Requests are made here, each
exactly once, so that it is known what became of them; discord.py would repeat a request whose answer got lost.

Discord does not wait for an acknowledgement that an event was kept. So the position of each channel is kept in the
platform's state after the sink returned, and every new session of the gateway begins by reading on from there.

A place is a channel, or a thread in one. `open_thread` posts a message that carries the title and begins a public
thread from it: the thread then has the message's id, so doing it again finds it. Where there are no threads, or the
bot may not begin any, the place is the channel itself, and the message with the title stays there as the beginning of
the conversation.
"""

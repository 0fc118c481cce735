"""What a client of the Agent Client Protocol is told when a message of its own is wrong."""

from __future__ import annotations

# the line and its envelope
NOT_JSON = "This line is not JSON: {reason}."
NESTED = "it is nested too deeply"
NOT_UTF8 = "it is not UTF-8"
NO_NUMBER = "{name} is no JSON"
NOT_AN_OBJECT = "A message is a JSON object, not {kind}."
KINDS = {"str": "a string", "int": "a number", "float": "a number", "bool": "a truth value", "NoneType": "null"}
KIND_OTHER = "this"
A_BATCH = "Batches are not part of the protocol: send one object a line."
TOO_LONG = "This line has more than {most} MiB, and was left out."
BAD_VERSION = 'jsonrpc must be "2.0".'
BAD_ID = "An id is a string, a whole number or null."
BAD_METHOD = "A method is a string."
BAD_MESSAGE = "A message has a method, a result or an error."
BAD_PARAMS = "The parameters of {method} must be an object."
ID_IN_USE = "A request with this id is still being worked on."
NO_METHOD = "There is no method {method}."
CANCELLED = "The request was cancelled."
UNWRITABLE = "The answer cannot be written as JSON: {reason}."
ANSWER_TOO_LONG = "The answer has {size:,} bytes; at most {most:,} can be sent."
UNEXPECTED = "Baton itself failed: {reason}. The conversation is kept; `baton doctor` checks the installation."
UNTOLD = "an event could not be told"

# parameters
NO_STRING = "{name} must be a string."
NO_LIST = "{name} must be a list."
NO_PATH = "{name} must be an absolute path."
NO_DIRECTORY = "{name}: there is no directory {path}."
NO_PAIRS = "Each of {name} must be an object with name and value."
TOO_MANY_SERVERS = "mcpServers has more than {most} servers."
NO_SERVER = "Each of mcpServers must be an object."
SERVER_TYPE = "mcpServers: {name} is of type {kind}. Allowed: stdio and http."
SERVER_ARGS = "mcpServers: the args of {name} must be strings."

# requests
INITIALIZE_FIRST = "Send initialize first."
NO_VERSION = "protocolVersion must be a whole number."
LOGGED_OUT = "You are logged out. Authenticate first."
NO_LOGIN = "There is no such method. Allowed: {methods}."
BAD_CURSOR = "cursor must be the nextCursor of an earlier list."
STILL_HELD = "It cannot be deleted now: a running turn, a transfer or a fork of it holds on to it. Nothing was changed."
NO_OPTION = "There is no option {option}. Allowed: mode, model, effort."
NO_MODE = "There is no mode {mode}. Allowed: {modes}."
NO_EFFORT = "There is no effort {effort}. Allowed: {efforts}."
LOAD_FIRST = "Open it with session/load first."
LIST_SESSIONS = "session/list shows what there is."

# prompts
NO_BLOCK = "Each block of a prompt must be an object."
EMPTY = "The prompt is empty."
BLOCK_TYPE = "A block of type {kind} cannot be taken. Allowed: {kinds}."
NO_RESOURCE = "resource must be an object."
NO_ATTACHMENT = "{name} cannot be attached. Allowed: {allowed}."
NO_BASE64 = "{name}: its data is not base64."

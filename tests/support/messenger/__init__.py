"""A strict little messaging service that outlives the gateways it serves, and the adapter they reach it with."""

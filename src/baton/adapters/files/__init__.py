"""Files and programs of a workspace, used by tools, checkpoints and packets alike; imports none of them."""

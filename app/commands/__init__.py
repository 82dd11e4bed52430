"""The command line's commands, one module a group. Each has `add_to(commands)`, which declares them."""

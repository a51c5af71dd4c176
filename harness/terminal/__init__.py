"""A person at the terminal: what is shown, what a typed line means, the tutorial. May import agents and texts."""

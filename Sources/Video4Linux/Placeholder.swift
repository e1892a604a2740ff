// Room of Video4Linux.

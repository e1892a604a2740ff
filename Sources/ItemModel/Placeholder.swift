// Room of ItemModel.

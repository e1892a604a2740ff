// Room of ImageCache.

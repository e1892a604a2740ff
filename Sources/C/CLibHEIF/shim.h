#include <libheif/heif.h>
#include <stdint.h>
#include <string.h>

// The first place of some bytes in others, -1 where they are not.
static inline long ck_heif_find(const uint8_t *bytes, long count, const uint8_t *name, long name_count) {
    for (long at = 0; at <= count - name_count; at++) {
        const uint8_t *first = memchr(bytes + at, name[0], (size_t)(count - name_count - at + 1));
        if (!first) return -1;
        at = first - bytes;
        if (memcmp(first, name, (size_t)name_count) == 0) return at;
    }
    return -1;
}

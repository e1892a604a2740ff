#include "ck_png.h"

int ck_png_has_alpha(const uint8_t *bgra, int width, int height, size_t stride) {
    uint8_t all = 0xFF, any = 0;
    for (int y = 0; y < height; y++) {
        const uint8_t *row = bgra + (size_t)y * stride;
        for (int x = 0; x < width; x++) {
            all &= row[4 * x + 3];
            any |= row[4 * x + 3];
        }
    }
    return all != 0xFF && any != 0;
}

int ck_png_is_grey(const uint8_t *bgra, int width, int height, size_t stride) {
    for (int y = 0; y < height; y++) {
        const uint8_t *row = bgra + (size_t)y * stride;
        uint8_t differences = 0;
        for (int x = 0; x < width; x++) differences |= (row[4 * x] ^ row[4 * x + 1]) | (row[4 * x] ^ row[4 * x + 2]);
        if (differences) return 0;
    }
    return 1;
}

void ck_png_flatten(const uint8_t *bgra, int width, int height, size_t stride, uint8_t *target,
                    size_t target_stride) {
    for (int y = 0; y < height; y++) {
        const uint8_t *from = bgra + (size_t)y * stride;
        uint8_t *to = target + (size_t)y * target_stride;
        for (int x = 0; x < width; x++, from += 4, to += 4) {
            unsigned alpha = from[3];
            for (int channel = 0; channel < 3; channel++)
                to[channel] = (uint8_t)((from[channel] * alpha + 255 * (255 - alpha) + 127) / 255);
            to[3] = 255;
        }
    }
}

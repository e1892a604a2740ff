#include <math.h>
#include <pthread.h>

#include "ck_colour.h"
#include "ck_scale_loops.h"

static inline uint8_t byte(int32_t value) { return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value); }
static inline uint8_t rounded(int32_t word) { return byte((word + CK_SCALE_UNIT / 2) >> CK_SCALE_UNIT_BITS); }

// MARK: - Light, IEC 61966-2-1

enum { LIGHT = 1 << CK_SCALE_LIGHT_BITS };
static uint16_t light_of[256];
static uint8_t number_of[LIGHT + 1];
static pthread_once_t light_once = PTHREAD_ONCE_INIT;

static double light_at(double number) {
    double part = number / 255;
    return LIGHT * (part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4));
}

static void make_light(void) {
    for (int number = 0, light = 0; number < 256; number++) {
        light_of[number] = (uint16_t)lround(light_at(number));
        // A number stands for the light up to the middle between it and the next.
        double end = number == 255 ? LIGHT : light_at(number + 0.5);
        for (; light <= LIGHT && light <= end; light++) number_of[light] = (uint8_t)number;
    }
}

static inline uint8_t number_at(int32_t light) {
    return number_of[light < 0 ? 0 : light > LIGHT ? LIGHT : light];
}

// MARK: - Pixels taken apart

void ck_scale_split_bytes(const uint8_t *bgra, int count, uint8_t *const *planes) {
    uint8_t *blue = planes[0], *green = planes[1], *red = planes[2];
    for (int x = 0; x < count; x++, bgra += 4) {
        blue[x] = bgra[0];
        green[x] = bgra[1];
        red[x] = bgra[2];
    }
}

void ck_scale_split_weighted(const uint8_t *bgra, int count, int16_t *const *planes) {
    for (int x = 0; x < count; x++, bgra += 4) {
        for (int i = 0; i < 3; i++) planes[i][x] = (int16_t)((bgra[i] * bgra[3] * CK_SCALE_UNIT + 127) / 255);
        planes[3][x] = (int16_t)(bgra[3] * CK_SCALE_UNIT);
    }
}

void ck_scale_split_light(const uint8_t *bgra, int count, int16_t *const *planes) {
    int16_t *blue = planes[0], *green = planes[1], *red = planes[2];
    for (int x = 0; x < count; x++, bgra += 4) {
        blue[x] = (int16_t)light_of[bgra[0]];
        green[x] = (int16_t)light_of[bgra[1]];
        red[x] = (int16_t)light_of[bgra[2]];
    }
}

void ck_scale_split_weighted_light(const uint8_t *bgra, int count, int16_t *const *planes) {
    for (int x = 0; x < count; x++, bgra += 4) {
        for (int i = 0; i < 3; i++) planes[i][x] = (int16_t)((light_of[bgra[i]] * bgra[3] + 127) / 255);
        planes[3][x] = (int16_t)(bgra[3] * CK_SCALE_UNIT);
    }
}

// MARK: - Pixels made

static inline void put(uint8_t *pixel, uint8_t blue, uint8_t green, uint8_t red, uint8_t alpha) {
    pixel[0] = blue;
    pixel[1] = green;
    pixel[2] = red;
    pixel[3] = alpha;
}

static void paint_grey(const int16_t *const *planes, int count, uint8_t *bgra) {
    for (int x = 0; x < count; x++, bgra += 4) {
        uint8_t grey = rounded(planes[0][x]);
        put(bgra, grey, grey, grey, 255);
    }
}

static void paint_rgb(const int16_t *const *planes, int count, uint8_t *bgra) {
    for (int x = 0; x < count; x++, bgra += 4)
        put(bgra, rounded(planes[2][x]), rounded(planes[1][x]), rounded(planes[0][x]), 255);
}

static void paint_bgr(const int16_t *const *planes, int count, uint8_t *bgra) {
    for (int x = 0; x < count; x++, bgra += 4)
        put(bgra, rounded(planes[0][x]), rounded(planes[1][x]), rounded(planes[2][x]), 255);
}

typedef struct colour {
    uint8_t blue, green, red;
} colour;

static inline colour colour_at(int32_t y, int32_t u, int32_t v) {
    enum { SHIFT = 14 + CK_SCALE_UNIT_BITS };
    u -= 128 * CK_SCALE_UNIT;
    v -= 128 * CK_SCALE_UNIT;
    y = y * (1 << 14) + (1 << (SHIFT - 1));
    return (colour){byte((y + ck_jpeg_u_blue * u) >> SHIFT),
                    byte((y - ck_jpeg_u_green * u - ck_jpeg_v_green * v) >> SHIFT),
                    byte((y + ck_jpeg_v_red * v) >> SHIFT)};
}

static void paint_ycc(const int16_t *const *planes, int count, uint8_t *bgra) {
    for (int x = 0; x < count; x++, bgra += 4) {
        colour colour = colour_at(planes[0][x], planes[1][x], planes[2][x]);
        put(bgra, colour.blue, colour.green, colour.red, 255);
    }
}

static inline uint8_t left_of(int colour, int black) { return (uint8_t)((colour * black + 127) / 255); }

// Light that the inks leave: 255 where there is none.
static inline void put_ink(uint8_t *pixel, int cyan, int magenta, int yellow, int black) {
    put(pixel, left_of(yellow, black), left_of(magenta, black), left_of(cyan, black), 255);
}

static inline void paint_cmyk(const int16_t *const *planes, int count, uint8_t *bgra, int flip) {
    for (int x = 0; x < count; x++, bgra += 4)
        put_ink(bgra, rounded(planes[0][x]) ^ flip, rounded(planes[1][x]) ^ flip, rounded(planes[2][x]) ^ flip,
                rounded(planes[3][x]) ^ flip);
}

// YCCK's luma and differences are of red, green and blue, the complements of what CMYK says.
static inline void paint_ycck(const int16_t *const *planes, int count, uint8_t *bgra, int flip) {
    for (int x = 0; x < count; x++, bgra += 4) {
        colour colour = colour_at(planes[0][x], planes[1][x], planes[2][x]);
        put_ink(bgra, colour.red ^ 255 ^ flip, colour.green ^ 255 ^ flip, colour.blue ^ 255 ^ flip,
                rounded(planes[3][x]) ^ flip);
    }
}

static void paint_cmyk_plain(const int16_t *const *planes, int count, uint8_t *bgra) {
    paint_cmyk(planes, count, bgra, 255);
}
static void paint_cmyk_inverted(const int16_t *const *planes, int count, uint8_t *bgra) {
    paint_cmyk(planes, count, bgra, 0);
}
static void paint_ycck_plain(const int16_t *const *planes, int count, uint8_t *bgra) {
    paint_ycck(planes, count, bgra, 255);
}
static void paint_ycck_inverted(const int16_t *const *planes, int count, uint8_t *bgra) {
    paint_ycck(planes, count, bgra, 0);
}

static void paint_light(const int16_t *const *planes, int count, uint8_t *bgra) {
    for (int x = 0; x < count; x++, bgra += 4)
        put(bgra, number_at(planes[0][x]), number_at(planes[1][x]), number_at(planes[2][x]), 255);
}

// Colours that alpha has weighted get their own weight back.
static inline int32_t unweighted(int32_t word, int32_t alpha) {
    return (int32_t)(((int64_t)word * 255 * CK_SCALE_UNIT + alpha / 2) / alpha);
}

static void paint_weighted(const int16_t *const *planes, int count, uint8_t *bgra) {
    for (int x = 0; x < count; x++, bgra += 4) {
        int32_t alpha = planes[3][x];
        put(bgra, 0, 0, 0, rounded(alpha));
        if (bgra[3] == 0) continue;
        for (int i = 0; i < 3; i++) bgra[i] = rounded(unweighted(planes[i][x], alpha));
    }
}

static void paint_weighted_light(const int16_t *const *planes, int count, uint8_t *bgra) {
    for (int x = 0; x < count; x++, bgra += 4) {
        int32_t alpha = planes[3][x];
        put(bgra, 0, 0, 0, rounded(alpha));
        if (bgra[3] == 0) continue;
        for (int i = 0; i < 3; i++) bgra[i] = number_at(unweighted(planes[i][x], alpha));
    }
}

ck_scale_paint *ck_scale_paint_for(const ck_scale_plan *plan) {
    if (plan->is_linear) pthread_once(&light_once, make_light);
    switch (plan->colours) {
    case CK_SCALE_GREY: return paint_grey;
    case CK_SCALE_YCC: return paint_ycc;
    case CK_SCALE_RGB: return paint_rgb;
    case CK_SCALE_CMYK: return plan->is_inverted ? paint_cmyk_inverted : paint_cmyk_plain;
    case CK_SCALE_YCCK: return plan->is_inverted ? paint_ycck_inverted : paint_ycck_plain;
    case CK_SCALE_BGR: return plan->is_linear ? paint_light : paint_bgr;
    case CK_SCALE_BGRA: return plan->is_linear ? paint_weighted_light : paint_weighted;
    }
    return paint_grey;
}

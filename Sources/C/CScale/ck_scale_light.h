#pragma once

// Light of sRGB's numbers (IEC 61966-2-1) and of JPEG's luma and chroma, in products of 16 bits, which are the same in
// registers of every width. It errs by less than a quarter of what lies between two numbers.

#include <stdint.h>

#include "ck_colour.h"

// Numbers come in parts of 64, light goes in parts of 2^14.
enum { CK_LIGHT_UNIT_BITS = 6, CK_LIGHT_WHITE = 255 << CK_LIGHT_UNIT_BITS };

// Light is a line, and above its end (number / 255 + 0.055) / 1.055 to the power of 2.4. That base, in parts of 2^16:
enum { CK_LIGHT_LINE_END = 660, CK_LIGHT_SLOPE = 5092, CK_LIGHT_GAIN = 62362, CK_LIGHT_OFFSET = 3417 };

// Its power of 0.4, in parts of 2^15: the polynomial of the distance from the middle that errs least.
enum { CK_LIGHT_MIDDLE = 35840, CK_LIGHT_DEGREE = 4 };
static const int16_t ck_light_power[CK_LIGHT_DEGREE + 1] = {25740, 18343, -9590, 17878, -23135};

static inline int32_t ck_light_part(int32_t value, int32_t part) {
    return (int32_t)(((int64_t)value * part) >> 16);
}

static inline int16_t ck_light_of(int32_t number) {
    number = number < 0 ? 0 : number > CK_LIGHT_WHITE ? CK_LIGHT_WHITE : number;
    int32_t light = ck_light_part(number * 4, CK_LIGHT_SLOPE);
    if (number > CK_LIGHT_LINE_END) {
        int32_t base = ck_light_part(number * 4, CK_LIGHT_GAIN) + CK_LIGHT_OFFSET;
        int32_t power = ck_light_power[CK_LIGHT_DEGREE];
        for (int i = CK_LIGHT_DEGREE - 1; i >= 0; i--)
            power = ck_light_power[i] + ck_light_part(base - CK_LIGHT_MIDDLE, power);
        power = power < INT16_MAX ? power : INT16_MAX;
        light = ck_light_part(base, ck_light_part(base, 2 * power + 1));
    }
    return (int16_t)(((light + 1) / 2 + 1) / 2);
}

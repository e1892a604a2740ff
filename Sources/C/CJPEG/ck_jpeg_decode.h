#pragma once

// What all decoders of this target have in common.

#include <stdint.h>
#include <stdio.h>

#include <jpeglib.h>

// Whether all scans came, where their end is missing: a progressive picture that stops between two scans draws no
// warning from libjpeg.
int ck_jpeg_is_complete(const struct jpeg_decompress_struct *codec);

// libjpeg converts no CMYK. Adobe's programs store it inverted, and say so by their marker.
void ck_jpeg_cmyk_to_bgra(const uint8_t *cmyk, int width, int inverted, uint8_t *bgra);

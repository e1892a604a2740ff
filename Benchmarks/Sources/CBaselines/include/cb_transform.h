// A JPEG turned without loss, as a plain C program does it.
#pragma once
#include <stddef.h>
#include <stdint.h>

/// TurboJPEG, 4:2:0. Returns the bytes written, or 0; `*bytes` is to be given back by `cb_jpeg_free`.
size_t cb_jpeg_420(const uint8_t *rgb, int width, int height, int quality, uint8_t **bytes);
/// tjTransform, a quarter turn clockwise; refuses what is no whole blocks. Returns and gives as `cb_jpeg_420`.
size_t cb_jpeg_rotated(const uint8_t *jpeg, size_t size, uint8_t **bytes);
void cb_jpeg_free(uint8_t *bytes);

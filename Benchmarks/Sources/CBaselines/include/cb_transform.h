// A JPEG turned without loss, as a plain C program does it.
#pragma once
#include <stddef.h>
#include <stdint.h>

/// tjTransform, a quarter turn clockwise; refuses what is no whole blocks. Returns the bytes written, or 0; `*bytes` is
/// for `cb_jpeg_free`.
size_t cb_jpeg_rotated(const uint8_t *jpeg, size_t size, uint8_t **bytes);

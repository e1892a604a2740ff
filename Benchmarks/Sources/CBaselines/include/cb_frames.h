// What a plain C program would do to show a camera's frame: the bases for frames as BGRA.
#pragma once
#include <stddef.h>
#include <stdint.h>

/// libyuv, packed 4:2:2 to BGRA; limited-range BT.601, rows without gaps. Returns 0 where it worked.
int cb_yuyv_to_bgra(const uint8_t *yuyv, uint8_t *bgra, int width, int height);
/// libyuv, a luma plane and a plane of chroma pairs to BGRA.
int cb_nv12_to_bgra(const uint8_t *nv12, uint8_t *bgra, int width, int height);

/// A reusable TurboJPEG decompressor.
void *cb_decoder_create(void);
void cb_decoder_destroy(void *decoder);
/// TurboJPEG to BGRA. Returns 0 where it worked.
int cb_jpeg_to_bgra(
  void *decoder, const uint8_t *jpeg, size_t jpeg_size, uint8_t *bgra, int width, int height);

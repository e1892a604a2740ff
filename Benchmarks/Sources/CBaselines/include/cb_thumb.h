// Small pictures of large ones: what a plain C program would do, and what they should look like.
#pragma once
#include <stddef.h>
#include <stdint.h>

/// Columns and rows of a JPEG picture; 0 where there is none.
int cb_jpeg_size(const uint8_t *jpeg, size_t jpeg_size, int *width, int *height);
/// Decodes to red, green, blue without gaps; 0 where it worked.
int cb_jpeg_to_rgb(const uint8_t *jpeg, size_t jpeg_size, uint8_t *rgb, int width, int height);
/// Compresses red, green, blue, 4:2:0; returns the bytes written or 0. `*bytes` is for `cb_jpeg_free`.
size_t cb_rgb_to_jpeg(
  const uint8_t *rgb, int width, int height, int quality, int is_progressive, uint8_t **bytes);
void cb_jpeg_free(uint8_t *bytes);

/// TurboJPEG's decode at an eighth of both sides to BGRA, and no more; 0 where it worked. `decoder` comes from
/// `cb_decoder_create`.
int cb_jpeg_eighth(
  void *decoder, const uint8_t *jpeg, size_t jpeg_size, uint8_t *bgra, size_t capacity);

/// Part of a picture of red, green, blue.
struct cb_part {
  const uint8_t *rgb;
  int picture_width, picture_height;
  double x, y, width, height;
};

/// Lanczos' filter of three lobes in floating point; `out` gets red, green, blue, 0 to 255, not rounded. With
/// `is_linear` it mixes light instead of sRGB's numbers. Returns 0 where there was memory for it.
int cb_lanczos(struct cb_part part, int width, int height, int is_linear, float *out);

/// Peak signal-to-noise ratio in dB between BGRA and red, green, blue of as many pixels.
double cb_psnr_bgra(const uint8_t *bgra, const float *rgb, size_t pixels);

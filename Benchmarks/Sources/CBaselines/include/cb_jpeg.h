// What a plain C program would do with a JPEG: the bases that our own figures are held against.
#pragma once
#include <stddef.h>
#include <stdint.h>

/// Copies a camera's JPEG without its APP0 segments and inserts `app1` behind the start marker
/// and `dht` before the scan.
///
/// Returns the bytes written, or 0 where `frame` is no JPEG or `out` is too small.
size_t cb_jpeg_photo(
  const uint8_t *frame, size_t frame_size, const uint8_t *app1, size_t app1_size,
  const uint8_t *dht, size_t dht_size, uint8_t *out, size_t capacity);

/// Three planes of 4:2:2 samples without gaps between rows.
struct cb_planes {
  const uint8_t *y, *u, *v;
  int width, height;
};

/// A reusable libjpeg-turbo compressor with room for the largest possible result.
void *cb_encoder_create(int width, int height);
void cb_encoder_destroy(void *encoder);
/// Compresses ready planes, 4:2:2; returns the bytes written or 0. `*bytes` belongs to the encoder.
size_t cb_encoder_planes(
  void *encoder, struct cb_planes planes, int quality, const uint8_t **bytes);
/// Compresses RGB rows without gaps, 4:2:2; returns the bytes written or 0.
size_t cb_encoder_rgb(
  void *encoder, const uint8_t *rgb, int width, int height, int quality, const uint8_t **bytes);

/// Peak signal-to-noise ratio in dB between a JPEG and the RGB scene that it shows; negative
/// where the JPEG cannot be decoded or has another size.
double cb_psnr(
  const uint8_t *jpeg, size_t jpeg_size, const uint8_t *rgb, int width, int height);

#include "cb_thumb.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <turbojpeg.h>

// MARK: - JPEG

int cb_jpeg_size(const uint8_t *jpeg, size_t jpeg_size, int *width, int *height) {
  tjhandle handle = tjInitDecompress();
  int subsampling = 0, space = 0;
  int status = handle
      ? tjDecompressHeader3(handle, jpeg, jpeg_size, width, height, &subsampling, &space)
      : -1;
  if (handle) tjDestroy(handle);
  return status == 0;
}

int cb_jpeg_to_rgb(const uint8_t *jpeg, size_t jpeg_size, uint8_t *rgb, int width, int height) {
  tjhandle handle = tjInitDecompress();
  int status = handle
      ? tjDecompress2(handle, jpeg, jpeg_size, rgb, width, 0, height, TJPF_RGB, 0)
      : -1;
  if (handle) tjDestroy(handle);
  return status;
}

size_t cb_rgb_to_jpeg(
  const uint8_t *rgb, int width, int height, int quality, int is_progressive, uint8_t **bytes) {
  tjhandle handle = tjInitCompress();
  unsigned long size = 0;
  *bytes = NULL;
  int status = handle
      ? tjCompress2(
        handle, rgb, width, 0, height, TJPF_RGB, bytes, &size, TJSAMP_420, quality,
        is_progressive ? TJFLAG_PROGRESSIVE : 0)
      : -1;
  if (handle) tjDestroy(handle);
  return status == 0 ? size : 0;
}

void cb_jpeg_free(uint8_t *bytes) { tjFree(bytes); }

int cb_jpeg_eighth(
  void *decoder, const uint8_t *jpeg, size_t jpeg_size, uint8_t *bgra, size_t capacity) {
  int width = 0, height = 0, subsampling = 0, space = 0;
  if (tjDecompressHeader3(decoder, jpeg, jpeg_size, &width, &height, &subsampling, &space)) return -1;
  int small_width = (width + 7) / 8, small_height = (height + 7) / 8;
  if ((size_t)small_width * (size_t)small_height * 4 > capacity) return -1;
  return tjDecompress2(
    decoder, jpeg, jpeg_size, bgra, small_width, 0, small_height, TJPF_BGRA, 0);
}

// MARK: - The filter

static double lanczos(double x) {
  x = fabs(x);
  if (x < 1e-12) return 1;
  if (x >= 3) return 0;
  return 3 * sin(M_PI * x) * sin(M_PI * x / 3) / (M_PI * M_PI * x * x);
}

static double encoded(double light) {
  double part = light / 255;
  part = part < 0 ? 0 : part > 1 ? 1 : part;
  return 255 * (part <= 0.0031308 ? part * 12.92 : 1.055 * pow(part, 1 / 2.4) - 0.055);
}

static double light_of(double number) {
  double part = number / 255;
  return 255 * (part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4));
}

// Mixes groups of `samples` values that lie `stride` floats apart into one group.
static void mix(
  const float *from, size_t stride, int count, int samples, double centre, double scale, float *to) {
  int first = (int)fmax(ceil(centre - 3 * scale - 0.5), 0);
  int end = (int)fmin(floor(centre + 3 * scale - 0.5) + 1, count);
  double sum = 0;
  for (int i = first; i < end; i++) sum += lanczos((i + 0.5 - centre) / scale);
  memset(to, 0, (size_t)samples * sizeof *to);
  for (int i = first; i < end; i++) {
    float weight = (float)(lanczos((i + 0.5 - centre) / scale) / sum);
    const float *group = from + (size_t)i * stride;
    for (int sample = 0; sample < samples; sample++) to[sample] += weight * group[sample];
  }
}

int cb_lanczos(struct cb_part part, int width, int height, int is_linear, float *out) {
  size_t row = (size_t)part.picture_width * 3, rows = (size_t)part.picture_height;
  float numbers[256], *picture = malloc(row * rows * sizeof *picture);
  float *mixed = malloc(row * sizeof *mixed);
  if (!picture || !mixed) {
    free(picture);
    free(mixed);
    return -1;
  }
  for (int i = 0; i < 256; i++) numbers[i] = (float)(is_linear ? light_of(i) : i);
  for (size_t i = 0; i < row * rows; i++) picture[i] = numbers[part.rgb[i]];
  double across = part.width / width, down = part.height / height;
  for (int y = 0; y < height; y++) {
    mix(picture, row, part.picture_height, (int)row, part.y + (y + 0.5) * down, fmax(down, 1), mixed);
    for (int x = 0; x < width; x++) {
      float *pixel = out + ((size_t)y * (size_t)width + (size_t)x) * 3;
      mix(mixed, 3, part.picture_width, 3, part.x + (x + 0.5) * across, fmax(across, 1), pixel);
      for (int i = 0; i < 3; i++)
        pixel[i] = is_linear ? (float)encoded(pixel[i]) : fminf(fmaxf(pixel[i], 0), 255);
    }
  }
  free(picture);
  free(mixed);
  return 0;
}

double cb_psnr_bgra(const uint8_t *bgra, const float *rgb, size_t pixels) {
  double sum = 0;
  for (size_t i = 0; i < pixels; i++)
    for (int channel = 0; channel < 3; channel++) {
      double difference = (double)bgra[4 * i + (size_t)(2 - channel)] - rgb[3 * i + (size_t)channel];
      sum += difference * difference;
    }
  return sum == 0 ? 99 : 10 * log10(255.0 * 255.0 * 3.0 * (double)pixels / sum);
}

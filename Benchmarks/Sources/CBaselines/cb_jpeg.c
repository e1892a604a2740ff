#include "cb_jpeg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <turbojpeg.h>

static size_t put(uint8_t *out, size_t at, size_t capacity, const uint8_t *from, size_t size) {
  if (at == 0 || capacity - at < size) return 0;
  memcpy(out + at, from, size);
  return at + size;
}

size_t cb_jpeg_photo(
  const uint8_t *frame, size_t frame_size, const uint8_t *app1, size_t app1_size,
  const uint8_t *dht, size_t dht_size, uint8_t *out, size_t capacity) {
  if (frame_size < 4 || capacity < 2 || frame[0] != 0xFF || frame[1] != 0xD8) return 0;
  memcpy(out, frame, 2);
  size_t end = put(out, 2, capacity, app1, app1_size);
  for (size_t at = 2; at + 4 <= frame_size && frame[at] == 0xFF;) {
    uint8_t marker = frame[at + 1];
    if (marker == 0xDA) {
      end = put(out, end, capacity, dht, dht_size);
      return put(out, end, capacity, frame + at, frame_size - at);
    }
    size_t size = 2 + ((size_t)frame[at + 2] << 8 | frame[at + 3]);
    if (at + size > frame_size) return 0;
    if (marker != 0xE0) end = put(out, end, capacity, frame + at, size);
    at += size;
  }
  return 0;
}

// MARK: - libjpeg-turbo

struct encoder {
  tjhandle handle;
  unsigned char *bytes;
  unsigned long capacity;
};

void *cb_encoder_create(int width, int height) {
  struct encoder *encoder = calloc(1, sizeof *encoder);
  if (!encoder) return NULL;
  encoder->handle = tjInitCompress();
  encoder->capacity = tjBufSize(width, height, TJSAMP_422);
  encoder->bytes = malloc(encoder->capacity);
  if (encoder->handle && encoder->bytes) return encoder;
  cb_encoder_destroy(encoder);
  return NULL;
}

void cb_encoder_destroy(void *opaque) {
  struct encoder *encoder = opaque;
  if (!encoder) return;
  if (encoder->handle) tjDestroy(encoder->handle);
  free(encoder->bytes);
  free(encoder);
}

size_t cb_encoder_planes(
  void *opaque, struct cb_planes planes, int quality, const uint8_t **bytes) {
  struct encoder *encoder = opaque;
  const unsigned char *sources[3] = {planes.y, planes.u, planes.v};
  int strides[3] = {planes.width, planes.width / 2, planes.width / 2};
  unsigned long size = encoder->capacity;
  *bytes = encoder->bytes;
  return tjCompressFromYUVPlanes(
           encoder->handle, sources, planes.width, strides, planes.height, TJSAMP_422,
           &encoder->bytes, &size, quality, TJFLAG_NOREALLOC)
      ? 0
      : size;
}

size_t cb_encoder_rgb(
  void *opaque, const uint8_t *rgb, int width, int height, int quality, const uint8_t **bytes) {
  struct encoder *encoder = opaque;
  unsigned long size = encoder->capacity;
  *bytes = encoder->bytes;
  return tjCompress2(
           encoder->handle, rgb, width, 0, height, TJPF_RGB, &encoder->bytes, &size, TJSAMP_422,
           quality, TJFLAG_NOREALLOC)
      ? 0
      : size;
}

double cb_psnr(
  const uint8_t *jpeg, size_t jpeg_size, const uint8_t *rgb, int width, int height) {
  tjhandle handle = tjInitDecompress();
  size_t count = (size_t)width * (size_t)height * 3;
  uint8_t *decoded = malloc(count);
  int jpeg_width = 0, jpeg_height = 0, subsampling = 0, space = 0;
  double result = -1;
  if (handle && decoded
      && !tjDecompressHeader3(
        handle, jpeg, jpeg_size, &jpeg_width, &jpeg_height, &subsampling, &space)
      && jpeg_width == width && jpeg_height == height
      && !tjDecompress2(handle, jpeg, jpeg_size, decoded, width, 0, height, TJPF_RGB, 0)) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
      double difference = (double)decoded[i] - rgb[i];
      sum += difference * difference;
    }
    result = sum == 0 ? 99 : 10 * log10(255.0 * 255.0 * (double)count / sum);
  }
  free(decoded);
  if (handle) tjDestroy(handle);
  return result;
}

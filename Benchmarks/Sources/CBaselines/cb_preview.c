#include "cb_preview.h"

#include <libyuv.h>
#include <math.h>
#include <stdlib.h>

// The part of the frame that is shown, and its size before it is turned.
struct shown {
  int x, y, width, height;
  int scaled_width, scaled_height;
};

static struct shown shown_of(struct cb_preview p) {
  struct shown s = {0};
  s.scaled_width = p.turned ? p.target_height : p.target_width;
  s.scaled_height = p.turned ? p.target_width : p.target_height;
  double across = (double)p.width / s.scaled_width, down = (double)p.height / s.scaled_height;
  double scale = across < down ? across : down;
  s.width = (int)lround(s.scaled_width * scale);
  s.height = (int)lround(s.scaled_height * scale);
  s.x = (p.width - s.width) / 2 & ~1;
  s.y = (p.height - s.height) / 2 & ~1;
  return s;
}

struct previewer {
  struct cb_preview preview;
  struct shown shown;
  uint8_t *a, *b, *c;
};

void *cb_previewer_create(struct cb_preview preview) {
  struct previewer *p = calloc(1, sizeof *p);
  if (!p) return NULL;
  size_t size = (size_t)preview.width * (size_t)preview.height * 4 + 64;
  p->preview = preview;
  p->shown = shown_of(preview);
  p->a = aligned_alloc(64, size / 64 * 64);
  p->b = aligned_alloc(64, size / 64 * 64);
  p->c = aligned_alloc(64, size / 64 * 64);
  if (p->a && p->b && p->c) return p;
  cb_previewer_destroy(p);
  return NULL;
}

void cb_previewer_destroy(void *opaque) {
  struct previewer *p = opaque;
  if (!p) return;
  free(p->a);
  free(p->b);
  free(p->c);
  free(p);
}

static const uint8_t *corner(const struct previewer *p, const uint8_t *yuyv) {
  return yuyv + (size_t)p->shown.y * (size_t)p->preview.width * 2 + (size_t)p->shown.x * 2;
}

int cb_preview_converted_first(void *opaque, const uint8_t *yuyv, uint8_t *bgra) {
  struct previewer *p = opaque;
  struct shown s = p->shown;
  int status = YUY2ToARGB(corner(p, yuyv), p->preview.width * 2, p->a, s.width * 4, s.width, s.height);
  uint8_t *scaled = p->preview.turned ? p->b : bgra;
  status |= ARGBScale(
    p->a, s.width * 4, s.width, s.height, scaled, s.scaled_width * 4, s.scaled_width, s.scaled_height,
    kFilterBilinear);
  if (!p->preview.turned) return status;
  // A negative height turns the picture over, which makes a quarter turn a mirrored one: a pass is saved.
  return status | ARGBRotate(
    scaled, s.scaled_width * 4, bgra, p->preview.target_width * 4, s.scaled_width, -s.scaled_height, kRotate90);
}

struct planes {
  uint8_t *y, *u, *v;
  int stride;
};

static struct planes planes_in(uint8_t *memory, int width, int height) {
  size_t size = (size_t)width * (size_t)height;
  return (struct planes){memory, memory + size, memory + size + size / 4, width};
}

int cb_preview_planes_first(void *opaque, const uint8_t *yuyv, uint8_t *bgra) {
  struct previewer *p = opaque;
  struct shown s = p->shown;
  struct planes whole = planes_in(p->a, s.width, s.height);
  struct planes scaled = planes_in(p->b, s.scaled_width, s.scaled_height);
  int status = YUY2ToI420(
    corner(p, yuyv), p->preview.width * 2, whole.y, whole.stride, whole.u, whole.stride / 2, whole.v,
    whole.stride / 2, s.width, s.height);
  status |= I420Scale(
    whole.y, whole.stride, whole.u, whole.stride / 2, whole.v, whole.stride / 2, s.width, s.height, scaled.y,
    scaled.stride, scaled.u, scaled.stride / 2, scaled.v, scaled.stride / 2, s.scaled_width, s.scaled_height,
    kFilterBilinear);
  struct planes turned = planes_in(p->c, s.scaled_height, s.scaled_width);
  if (p->preview.turned)
    status |= I420Rotate(
      scaled.y, scaled.stride, scaled.u, scaled.stride / 2, scaled.v, scaled.stride / 2, turned.y, turned.stride,
      turned.u, turned.stride / 2, turned.v, turned.stride / 2, s.scaled_width, -s.scaled_height, kRotate90);
  struct planes last = p->preview.turned ? turned : scaled;
  return status | I420ToARGB(
    last.y, last.stride, last.u, last.stride / 2, last.v, last.stride / 2, bgra, p->preview.target_width * 4,
    p->preview.target_width, p->preview.target_height);
}

// MARK: - Quality

// Keys' cubic with a = -0.5, as wide as the scale asks for.
static double cubic(double x) {
  x = fabs(x);
  if (x < 1) return (1.5 * x - 2.5) * x * x + 1;
  return x < 2 ? ((-0.5 * x + 2.5) * x - 4) * x + 2 : 0;
}

// Samples of three channels along one axis, from one place to another; strides are in samples of one channel.
static void resample(
  const double *from, int count, size_t step, double *to, int target_count, size_t target_step, double start,
  double scale) {
  double width = scale > 1 ? scale : 1;
  for (int i = 0; i < target_count; i++) {
    double centre = start + (i + 0.5) * scale, sums[3] = {0}, weights = 0;
    int first = (int)floor(centre - 2 * width), last = (int)ceil(centre + 2 * width);
    for (int k = first < 0 ? 0 : first; k <= last && k < count; k++) {
      double weight = cubic((k + 0.5 - centre) / width);
      weights += weight;
      for (int c = 0; c < 3; c++) sums[c] += weight * from[(size_t)k * step + (size_t)c];
    }
    for (int c = 0; c < 3; c++) to[(size_t)i * target_step + (size_t)c] = sums[c] / weights;
  }
}

static double rounded(double value) { return value < 0 ? 0 : value > 255 ? 255 : round(value); }

static double error_of(struct cb_preview p, const double *reference, int width, int height, const uint8_t *bgra) {
  double sum = 0;
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      const double *wanted = reference + ((size_t)y * (size_t)width + (size_t)x) * 3;
      const uint8_t *pixel =
        bgra + (p.turned ? (size_t)x * (size_t)p.target_width + (size_t)y : (size_t)y * (size_t)width + (size_t)x) * 4;
      for (int c = 0; c < 3; c++) {
        double difference = rounded(wanted[c]) - pixel[2 - c];
        sum += difference * difference;
      }
    }
  return sum / ((double)width * height * 3);
}

double cb_preview_psnr(struct cb_preview p, const uint8_t *bgra, const uint8_t *rgb) {
  struct shown s = shown_of(p);
  size_t row = (size_t)s.scaled_width * 3;
  double *line = malloc((size_t)p.width * 3 * sizeof *line);
  double *narrow = malloc(row * (size_t)p.height * sizeof *narrow);
  double *small = malloc(row * (size_t)s.scaled_height * sizeof *small);
  double error = -1;
  if (line && narrow && small) {
    for (int y = 0; y < p.height; y++) {
      for (int i = 0; i < p.width * 3; i++) line[i] = rgb[(size_t)y * (size_t)p.width * 3 + (size_t)i];
      resample(
        line, p.width, 3, narrow + (size_t)y * row, s.scaled_width, 3, s.x, (double)s.width / s.scaled_width);
    }
    for (int x = 0; x < s.scaled_width; x++)
      resample(
        narrow + (size_t)x * 3, p.height, row, small + (size_t)x * 3, s.scaled_height, row, s.y,
        (double)s.height / s.scaled_height);
    error = error_of(p, small, s.scaled_width, s.scaled_height, bgra);
  }
  free(line);
  free(narrow);
  free(small);
  return error < 0 ? -1 : 10 * log10(255.0 * 255 / error);
}

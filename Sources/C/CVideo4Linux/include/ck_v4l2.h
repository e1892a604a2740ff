// videodev2.h for Swift: request codes as constants, and unions, packed structures and arrays
// in structures as plain values. No decisions are made here.
#pragma once
#include <linux/usbdevice_fs.h>
#include <linux/videodev2.h>
#include <stdint.h>

// MARK: Request codes

static const unsigned long ck_QUERYCAP = VIDIOC_QUERYCAP;
static const unsigned long ck_ENUM_FMT = VIDIOC_ENUM_FMT;
static const unsigned long ck_ENUM_FRAMESIZES = VIDIOC_ENUM_FRAMESIZES;
static const unsigned long ck_ENUM_FRAMEINTERVALS = VIDIOC_ENUM_FRAMEINTERVALS;
static const unsigned long ck_G_FMT = VIDIOC_G_FMT;
static const unsigned long ck_S_FMT = VIDIOC_S_FMT;
static const unsigned long ck_TRY_FMT = VIDIOC_TRY_FMT;
static const unsigned long ck_G_PARM = VIDIOC_G_PARM;
static const unsigned long ck_S_PARM = VIDIOC_S_PARM;
static const unsigned long ck_ENUMINPUT = VIDIOC_ENUMINPUT;
static const unsigned long ck_G_INPUT = VIDIOC_G_INPUT;
static const unsigned long ck_G_CTRL = VIDIOC_G_CTRL;
static const unsigned long ck_REQBUFS = VIDIOC_REQBUFS;
static const unsigned long ck_QUERYBUF = VIDIOC_QUERYBUF;
static const unsigned long ck_QBUF = VIDIOC_QBUF;
static const unsigned long ck_DQBUF = VIDIOC_DQBUF;
static const unsigned long ck_STREAMON = VIDIOC_STREAMON;
static const unsigned long ck_STREAMOFF = VIDIOC_STREAMOFF;
static const unsigned long ck_SUBSCRIBE_EVENT = VIDIOC_SUBSCRIBE_EVENT;
static const unsigned long ck_DQEVENT = VIDIOC_DQEVENT;
static const unsigned long ck_QUERY_DV_TIMINGS = VIDIOC_QUERY_DV_TIMINGS;
static const unsigned long ck_S_DV_TIMINGS = VIDIOC_S_DV_TIMINGS;
static const unsigned long ck_USB_RESET = USBDEVFS_RESET;

// MARK: Constants whose macros are expressions

static const uint32_t ck_CID_CAMERA_ORIENTATION = V4L2_CID_CAMERA_ORIENTATION;
static const uint32_t ck_CID_CAMERA_SENSOR_ROTATION = V4L2_CID_CAMERA_SENSOR_ROTATION;
static const uint32_t ck_CID_PRIVACY = V4L2_CID_PRIVACY;

// MARK: Events

/// What a V4L2_EVENT_SOURCE_CHANGE says has changed.
uint32_t ck_event_source_changes(struct v4l2_event event);

// MARK: Formats

/// v4l2_pix_format or v4l2_pix_format_mplane, without the difference.
struct ck_image_format {
    uint32_t width, height, pixelformat, field;
    uint32_t colorspace, ycbcr_enc, quantization, xfer_func;
    uint32_t plane_count;
    struct ck_plane_format { uint32_t bytesperline, sizeimage; } planes[VIDEO_MAX_PLANES];
};

/// The type says which of the two layouts is written.
struct v4l2_format ck_format_make(uint32_t type, struct ck_image_format image);
/// The type in the format says which of the two layouts is read.
struct ck_image_format ck_format_read(struct v4l2_format format);
/// A plane below VIDEO_MAX_PLANES.
uint32_t ck_image_format_bytesperline(struct ck_image_format image, uint32_t plane);
uint32_t ck_image_format_sizeimage(struct ck_image_format image, uint32_t plane);

// MARK: Sizes and intervals

/// A size, or the two corners and the steps of a range; `type` is V4L2_FRMSIZE_TYPE_*.
struct ck_frame_size {
    uint32_t type;
    uint32_t min_width, max_width, step_width;
    uint32_t min_height, max_height, step_height;
};
struct ck_frame_size ck_frame_size_read(struct v4l2_frmsizeenum entry);

/// An interval, or the ends and the step of a range; `type` is V4L2_FRMIVAL_TYPE_*.
struct ck_frame_interval {
    uint32_t type;
    struct v4l2_fract min, max, step;
};
struct ck_frame_interval ck_frame_interval_read(struct v4l2_frmivalenum entry);

/// The capture side of a v4l2_streamparm.
struct v4l2_streamparm ck_streamparm_make(uint32_t type, struct v4l2_fract timeperframe);
struct v4l2_captureparm ck_streamparm_read(struct v4l2_streamparm parameters);

// MARK: Buffers

/// A v4l2_buffer with room for its planes: it can be passed where a v4l2_buffer is asked for.
struct ck_buffer {
    struct v4l2_buffer buffer;
    struct v4l2_plane planes[VIDEO_MAX_PLANES];
};

struct ck_plane {
    uint32_t bytesused, data_offset, length, mem_offset;
};

/// Clears all, then asks for the buffer `index` of a memory-mapped queue.
void ck_buffer_prepare(struct ck_buffer *_Nonnull request, uint32_t type, uint32_t index);
/// How many planes the answer has; a single-planar buffer has one.
uint32_t ck_buffer_plane_count(const struct ck_buffer *_Nonnull request);
/// A plane below VIDEO_MAX_PLANES.
struct ck_plane ck_buffer_plane(const struct ck_buffer *_Nonnull request, uint32_t plane);

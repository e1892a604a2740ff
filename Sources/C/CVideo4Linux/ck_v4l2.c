#include "ck_v4l2.h"

#include <string.h>

struct v4l2_format ck_format_make(uint32_t type, struct ck_image_format image) {
    struct v4l2_format format;
    memset(&format, 0, sizeof format);
    format.type = type;
    if (V4L2_TYPE_IS_MULTIPLANAR(type)) {
        struct v4l2_pix_format_mplane *pix = &format.fmt.pix_mp;
        pix->width = image.width;
        pix->height = image.height;
        pix->pixelformat = image.pixelformat;
        pix->field = image.field;
        pix->colorspace = image.colorspace;
        pix->ycbcr_enc = image.ycbcr_enc;
        pix->quantization = image.quantization;
        pix->xfer_func = image.xfer_func;
        pix->num_planes = image.plane_count;
        for (uint32_t i = 0; i < VIDEO_MAX_PLANES; i++) {
            pix->plane_fmt[i].bytesperline = image.planes[i].bytesperline;
            pix->plane_fmt[i].sizeimage = image.planes[i].sizeimage;
        }
    } else {
        struct v4l2_pix_format *pix = &format.fmt.pix;
        pix->width = image.width;
        pix->height = image.height;
        pix->pixelformat = image.pixelformat;
        pix->field = image.field;
        pix->colorspace = image.colorspace;
        // Without it the fields after it mean nothing.
        pix->priv = V4L2_PIX_FMT_PRIV_MAGIC;
        pix->ycbcr_enc = image.ycbcr_enc;
        pix->quantization = image.quantization;
        pix->xfer_func = image.xfer_func;
        pix->bytesperline = image.planes[0].bytesperline;
        pix->sizeimage = image.planes[0].sizeimage;
    }
    return format;
}

struct ck_image_format ck_format_read(struct v4l2_format format) {
    struct ck_image_format image;
    memset(&image, 0, sizeof image);
    if (V4L2_TYPE_IS_MULTIPLANAR(format.type)) {
        struct v4l2_pix_format_mplane *pix = &format.fmt.pix_mp;
        image.width = pix->width;
        image.height = pix->height;
        image.pixelformat = pix->pixelformat;
        image.field = pix->field;
        image.colorspace = pix->colorspace;
        image.ycbcr_enc = pix->ycbcr_enc;
        image.quantization = pix->quantization;
        image.xfer_func = pix->xfer_func;
        image.plane_count = pix->num_planes;
        for (uint32_t i = 0; i < VIDEO_MAX_PLANES; i++) {
            image.planes[i].bytesperline = pix->plane_fmt[i].bytesperline;
            image.planes[i].sizeimage = pix->plane_fmt[i].sizeimage;
        }
    } else {
        struct v4l2_pix_format *pix = &format.fmt.pix;
        image.width = pix->width;
        image.height = pix->height;
        image.pixelformat = pix->pixelformat;
        image.field = pix->field;
        image.colorspace = pix->colorspace;
        if (pix->priv == V4L2_PIX_FMT_PRIV_MAGIC) {
            image.ycbcr_enc = pix->ycbcr_enc;
            image.quantization = pix->quantization;
            image.xfer_func = pix->xfer_func;
        }
        image.plane_count = 1;
        image.planes[0].bytesperline = pix->bytesperline;
        image.planes[0].sizeimage = pix->sizeimage;
    }
    return image;
}

uint32_t ck_image_format_bytesperline(struct ck_image_format image, uint32_t plane) {
    return image.planes[plane].bytesperline;
}

uint32_t ck_image_format_sizeimage(struct ck_image_format image, uint32_t plane) {
    return image.planes[plane].sizeimage;
}

struct ck_frame_size ck_frame_size_read(struct v4l2_frmsizeenum entry) {
    if (entry.type == V4L2_FRMSIZE_TYPE_DISCRETE) {
        return (struct ck_frame_size){
            entry.type,           entry.discrete.width,  entry.discrete.width,  0,
            entry.discrete.height, entry.discrete.height, 0};
    }
    return (struct ck_frame_size){
        entry.type,
        entry.stepwise.min_width, entry.stepwise.max_width, entry.stepwise.step_width,
        entry.stepwise.min_height, entry.stepwise.max_height, entry.stepwise.step_height};
}

struct ck_frame_interval ck_frame_interval_read(struct v4l2_frmivalenum entry) {
    if (entry.type == V4L2_FRMIVAL_TYPE_DISCRETE) {
        return (struct ck_frame_interval){entry.type, entry.discrete, entry.discrete, {0, 0}};
    }
    return (struct ck_frame_interval){
        entry.type, entry.stepwise.min, entry.stepwise.max, entry.stepwise.step};
}

struct v4l2_streamparm ck_streamparm_make(uint32_t type, struct v4l2_fract timeperframe) {
    struct v4l2_streamparm parameters;
    memset(&parameters, 0, sizeof parameters);
    parameters.type = type;
    parameters.parm.capture.timeperframe = timeperframe;
    return parameters;
}

struct v4l2_captureparm ck_streamparm_read(struct v4l2_streamparm parameters) {
    return parameters.parm.capture;
}

void ck_buffer_prepare(struct ck_buffer *request, uint32_t type, uint32_t index) {
    memset(request, 0, sizeof *request);
    request->buffer.index = index;
    request->buffer.type = type;
    request->buffer.memory = V4L2_MEMORY_MMAP;
    if (V4L2_TYPE_IS_MULTIPLANAR(type)) {
        request->buffer.m.planes = request->planes;
        request->buffer.length = VIDEO_MAX_PLANES;
    }
}

uint32_t ck_buffer_plane_count(const struct ck_buffer *request) {
    return V4L2_TYPE_IS_MULTIPLANAR(request->buffer.type) ? request->buffer.length : 1;
}

struct ck_plane ck_buffer_plane(const struct ck_buffer *request, uint32_t plane) {
    if (V4L2_TYPE_IS_MULTIPLANAR(request->buffer.type)) {
        const struct v4l2_plane *p = &request->planes[plane];
        return (struct ck_plane){p->bytesused, p->data_offset, p->length, p->m.mem_offset};
    }
    return (struct ck_plane){
        request->buffer.bytesused, 0, request->buffer.length, request->buffer.m.offset};
}

uint32_t ck_event_source_changes(struct v4l2_event event) {
    return event.u.src_change.changes;
}

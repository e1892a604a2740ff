#ifndef CK_LIBAV_READING_H
#define CK_LIBAV_READING_H

#include <errno.h>
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/pixdesc.h>

/* What is a macro that Swift cannot read, or has another name in another version. */

static const int ck_av_cancelled = AVERROR_EXIT;
static const int ck_av_no_memory = AVERROR(ENOMEM);
static const int ck_av_failed_read = AVERROR(EIO);
static const int ck_av_refused = AVERROR(EACCES);


static inline int ck_av_is_key_frame(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 29, 100)
  return (frame->flags & AV_FRAME_FLAG_KEY) != 0;
#else
  return frame->key_frame;
#endif
}

/* The nine numbers of a stream's display matrix; NULL where it has none. */
static inline const int32_t *ck_av_display_matrix(const AVStream *stream) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 29, 100)
  const AVPacketSideData *side = av_packet_side_data_get(
      stream->codecpar->coded_side_data, stream->codecpar->nb_coded_side_data,
      AV_PKT_DATA_DISPLAYMATRIX);
  return side && side->size >= 9 * sizeof(int32_t) ? (const int32_t *)side->data : NULL;
#else
  size_t size = 0;
  const uint8_t *data = av_stream_get_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &size);
  return data && size >= 9 * sizeof(int32_t) ? (const int32_t *)data : NULL;
#endif
}

#endif

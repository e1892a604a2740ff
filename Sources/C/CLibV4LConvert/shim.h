// The kernel's structures come from CVideo4Linux alone: here they are only pointed to.
#define __LINUX_VIDEODEV2_H
struct v4l2_format;
struct v4l2_fmtdesc;
struct v4l2_frmsizeenum;
struct v4l2_frmivalenum;
#include <libv4l-plugin.h>
#include <libv4lconvert.h>

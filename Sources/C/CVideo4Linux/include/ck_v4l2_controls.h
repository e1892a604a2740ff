// The controls of videodev2.h for Swift: packed structures and unions as plain values.
#pragma once
#include <linux/videodev2.h>
#include <stdint.h>

// MARK: Request codes and constants

static const unsigned long ck_QUERYCTRL = VIDIOC_QUERYCTRL;
static const unsigned long ck_QUERY_EXT_CTRL = VIDIOC_QUERY_EXT_CTRL;
static const unsigned long ck_QUERYMENU = VIDIOC_QUERYMENU;
static const unsigned long ck_S_CTRL = VIDIOC_S_CTRL;
static const unsigned long ck_G_EXT_CTRLS = VIDIOC_G_EXT_CTRLS;
static const unsigned long ck_S_EXT_CTRLS = VIDIOC_S_EXT_CTRLS;
static const unsigned long ck_TRY_EXT_CTRLS = VIDIOC_TRY_EXT_CTRLS;

/// Asks for the control after a number, of whatever kind.
static const uint32_t ck_NEXT_CONTROL = V4L2_CTRL_FLAG_NEXT_CTRL | V4L2_CTRL_FLAG_NEXT_COMPOUND;

// MARK: Menus

struct v4l2_querymenu ck_menu_make(uint32_t control, uint32_t index);
/// The item's name, with a zero at its end.
struct ck_menu_name {
    char text[33];
} ck_menu_name(struct v4l2_querymenu item);
/// What the item of an integer menu stands for.
int64_t ck_menu_number(struct v4l2_querymenu item);

// MARK: Several values at once

#define CK_CONTROL_LIMIT 64

/// A v4l2_ext_controls with room for its values: it can be passed where one is asked for.
struct ck_controls {
    struct v4l2_ext_controls head;
    struct v4l2_ext_control entries[CK_CONTROL_LIMIT];
};

/// Clears all, then prepares for `count` current values, at most CK_CONTROL_LIMIT.
void ck_controls_prepare(struct ck_controls *_Nonnull request, uint32_t count);
/// Puts a number at an index below CK_CONTROL_LIMIT; `is_wide` for a control of 64 bits.
void ck_controls_put(
    struct ck_controls *_Nonnull request, uint32_t index, uint32_t control, int64_t value, int is_wide);
/// Puts memory at an index below CK_CONTROL_LIMIT, for a control whose value is no number.
void ck_controls_put_memory(
    struct ck_controls *_Nonnull request, uint32_t index, uint32_t control, void *_Nonnull memory,
    uint32_t size);
/// The number at an index below CK_CONTROL_LIMIT.
int64_t ck_controls_number(const struct ck_controls *_Nonnull request, uint32_t index, int is_wide);

// MARK: Changes

/// What a V4L2_EVENT_CTRL says.
struct ck_control_change {
    uint32_t changes, type, flags;
    int64_t value;
};
struct ck_control_change ck_control_change_read(struct v4l2_event event);

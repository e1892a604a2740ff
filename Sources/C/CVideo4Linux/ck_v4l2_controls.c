#include "ck_v4l2_controls.h"

#include <string.h>

struct v4l2_querymenu ck_menu_make(uint32_t control, uint32_t index) {
    struct v4l2_querymenu item;
    memset(&item, 0, sizeof item);
    item.id = control;
    item.index = index;
    return item;
}

struct ck_menu_name ck_menu_name(struct v4l2_querymenu item) {
    struct ck_menu_name name;
    memset(&name, 0, sizeof name);
    memcpy(name.text, item.name, sizeof item.name);
    return name;
}

int64_t ck_menu_number(struct v4l2_querymenu item) {
    return item.value;
}

void ck_controls_prepare(struct ck_controls *request, uint32_t count) {
    memset(request, 0, sizeof *request);
    request->head.which = V4L2_CTRL_WHICH_CUR_VAL;
    request->head.count = count;
    // Whoever fails before it says where has failed nowhere in particular.
    request->head.error_idx = count;
    request->head.controls = request->entries;
}

void ck_controls_put(
    struct ck_controls *request, uint32_t index, uint32_t control, int64_t value, int is_wide) {
    struct v4l2_ext_control *entry = &request->entries[index];
    entry->id = control;
    if (is_wide)
        entry->value64 = value;
    else
        entry->value = (int32_t)value;
}

void ck_controls_put_memory(
    struct ck_controls *request, uint32_t index, uint32_t control, void *memory, uint32_t size) {
    struct v4l2_ext_control *entry = &request->entries[index];
    entry->id = control;
    entry->size = size;
    entry->ptr = memory;
}

int64_t ck_controls_number(const struct ck_controls *request, uint32_t index, int is_wide) {
    const struct v4l2_ext_control *entry = &request->entries[index];
    return is_wide ? entry->value64 : entry->value;
}

struct ck_control_change ck_control_change_read(struct v4l2_event event) {
    const struct v4l2_event_ctrl *change = &event.u.ctrl;
    return (struct ck_control_change){
        change->changes, change->type, change->flags,
        change->type == V4L2_CTRL_TYPE_INTEGER64 ? change->value64 : change->value};
}

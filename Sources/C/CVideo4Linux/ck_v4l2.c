#include "ck_v4l2.h"

#include "ck_jpeg.h"

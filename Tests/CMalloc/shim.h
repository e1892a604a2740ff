// What the C library says of its own memory, which Swift's module of it leaves out.
#include <malloc.h>

#ifndef STRIPSWM_SECURITY_H
#define STRIPSWM_SECURITY_H

#include <string.h>
#include "endpoint.h"

// library_path is the file of the DDS library that this process runs with, or "".
const char *library_path(void);

#endif

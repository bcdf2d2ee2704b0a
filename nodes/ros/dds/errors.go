package dds

/*
#include "endpoint.h"
*/
import "C"

import "fmt"

// failed is the error of a call that returned a negative code.
func failed(what string, code C.int) error {
	return fmt.Errorf("dds: %s: %s", what, C.GoString(C.dds_strretcode(-code)))
}

/* Makes include/plotengine.h a module, so that the compiler checks each Swift export against it. */
#include "../../include/plotengine.h"

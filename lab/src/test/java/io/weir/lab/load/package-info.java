/** Tests of the load generators. */
@NullMarked
package io.weir.lab.load;

import org.jspecify.annotations.NullMarked;

/** Quick clients beside slow ones. */
@NullMarked
package io.weir.lab.slow;

import org.jspecify.annotations.NullMarked;

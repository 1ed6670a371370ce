/** The journal's tests, on a real directory. */
@NullMarked
package io.weir.journal;

import org.jspecify.annotations.NullMarked;

/** The kernel's configuration, statistics and messages, and the limits derived from the machine. */
@NullMarked
package io.weir.kernel.settings;

import org.jspecify.annotations.NullMarked;

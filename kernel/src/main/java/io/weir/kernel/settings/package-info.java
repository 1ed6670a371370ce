/** What a kernel is configured with, what it counts and what it logs, and the limits that follow from the machine. */
@NullMarked
package io.weir.kernel.settings;

import org.jspecify.annotations.NullMarked;

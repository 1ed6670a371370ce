/** The sample {@code poller}: see its README. */
@NullMarked
package io.weir.samples.poller;

import org.jspecify.annotations.NullMarked;

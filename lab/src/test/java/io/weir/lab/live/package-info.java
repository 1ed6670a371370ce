/** Everything that is dynamic, changed under load: {@code docs/live-change.md}. */
@NullMarked
package io.weir.lab.live;

import org.jspecify.annotations.NullMarked;

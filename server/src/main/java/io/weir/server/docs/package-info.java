/** The generated reference: knobs, counters and messages of all rooms. */
@NullMarked
package io.weir.server.docs;

import org.jspecify.annotations.NullMarked;

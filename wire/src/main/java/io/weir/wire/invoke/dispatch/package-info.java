/** The owner's end: calls as they arrive, who may make them, their execution, and answers that are kept for a repeat. */
@NullMarked
package io.weir.wire.invoke.dispatch;

import org.jspecify.annotations.NullMarked;

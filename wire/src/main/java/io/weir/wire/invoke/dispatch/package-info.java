/** The owner's end: incoming calls, access control, execution, and responses kept for repeated requests. */
@NullMarked
package io.weir.wire.invoke.dispatch;

import org.jspecify.annotations.NullMarked;

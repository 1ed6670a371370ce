/** The messaging frames of Weir's protocol, the message block that they carry, and views on it; used by client and broker. */
@NullMarked
package io.weir.jms.frames;

import org.jspecify.annotations.NullMarked;

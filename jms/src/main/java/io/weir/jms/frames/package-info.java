/** The messaging frames of Weir's protocol, the message block in them, and views of it; used by client and broker. */
@NullMarked
package io.weir.jms.frames;

import org.jspecify.annotations.NullMarked;

/** Branches of distributed transactions (XA): their states, and how each of them ends. */
@NullMarked
package io.weir.broker.xa;

import org.jspecify.annotations.NullMarked;

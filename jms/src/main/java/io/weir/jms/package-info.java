/** Jakarta Messaging: what applications use, connection factories and JNDI. */
@NullMarked
package io.weir.jms;

import org.jspecify.annotations.NullMarked;

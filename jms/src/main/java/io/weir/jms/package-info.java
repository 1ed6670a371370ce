/** The classes of Jakarta Messaging that applications use: connection factories and JNDI. */
@NullMarked
package io.weir.jms;

import org.jspecify.annotations.NullMarked;

/** The messages and destinations of Jakarta Messaging 3.1, chapter 3 of the specification. */
@NullMarked
package io.weir.jms.message;

import org.jspecify.annotations.NullMarked;

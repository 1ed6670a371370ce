/** Message selectors, Jakarta Messaging 3.1 section 3.8.1: parsed once, matched against messages or message blocks. */
@NullMarked
package io.weir.jms.selector;

import org.jspecify.annotations.NullMarked;

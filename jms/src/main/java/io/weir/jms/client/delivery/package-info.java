/** Messages that came by a link: for whom, whether they still count, what the broker is told of them; transactions. */
@NullMarked
package io.weir.jms.client.delivery;

import org.jspecify.annotations.NullMarked;

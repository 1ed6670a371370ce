/** One request and its answer: translate, look up, queue, fetch, deliver, log. */
@NullMarked
package io.weir.proxy.exchange;

import org.jspecify.annotations.NullMarked;

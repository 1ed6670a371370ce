/**
 * One connection to the broker, requests on it and their answers, the handling of failures, and reconnection after a
 * loss.
 */
@NullMarked
package io.weir.jms.client.link;

import org.jspecify.annotations.NullMarked;

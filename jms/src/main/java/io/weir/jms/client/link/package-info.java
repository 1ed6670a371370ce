/** One connection to the broker, requests on it and their answers, and what becomes of failures; how it is made again after a loss. */
@NullMarked
package io.weir.jms.client.link;

import org.jspecify.annotations.NullMarked;

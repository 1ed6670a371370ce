/** One connection to the broker, requests on it and their answers; how it is made again after a loss. */
@NullMarked
package io.weir.jms.client.link;

import org.jspecify.annotations.NullMarked;

/** How the application's listeners are called: one at a time, on the threads of the client pool. */
@NullMarked
package io.weir.jms.client.listener;

import org.jspecify.annotations.NullMarked;

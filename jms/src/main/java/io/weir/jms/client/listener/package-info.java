/** Calls of the application's listeners: one at a time, on the threads of the client pool. */
@NullMarked
package io.weir.jms.client.listener;

import org.jspecify.annotations.NullMarked;

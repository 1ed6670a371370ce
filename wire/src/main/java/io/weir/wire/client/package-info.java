/** The client's end: URLs, how connections are made, by which options, and made again when they are lost. */
@NullMarked
package io.weir.wire.client;

import org.jspecify.annotations.NullMarked;

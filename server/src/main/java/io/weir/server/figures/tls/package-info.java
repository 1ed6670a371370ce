/** The figures of TLS: their records, and the declaration that the views are made from. */
@NullMarked
package io.weir.server.figures.tls;

import org.jspecify.annotations.NullMarked;

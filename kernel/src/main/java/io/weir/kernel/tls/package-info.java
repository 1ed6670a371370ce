/**
 * TLS of listeners and towards origins: certificates and their reloading, handshakes, session tickets, OCSP stapling.
 */
@NullMarked
package io.weir.kernel.tls;

import org.jspecify.annotations.NullMarked;

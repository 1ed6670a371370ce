/** Fields as they pass this proxy: Via, forwarding fields, trailers, what origins learn of the client's TLS. */
@NullMarked
package io.weir.proxy.fields;

import org.jspecify.annotations.NullMarked;

/**
 * Header fields that this proxy adds or filters: Via, forwarding fields, trailers, and the client's TLS for origins.
 */
@NullMarked
package io.weir.proxy.fields;

import org.jspecify.annotations.NullMarked;

/**
 * Structured Field Values for HTTP (RFC 9651, which replaces RFC 8941): a strict parser and serialiser for items, lists
 * and dictionaries. Depends on nothing.
 */
@NullMarked
package io.weir.http.structured;

import org.jspecify.annotations.NullMarked;

/** Writes the server's JSON, except that of the access log. The entry point is {@link io.weir.server.json.Json}. */
@org.jspecify.annotations.NullMarked
package io.weir.server.json;

/** The JSON that the server writes, but for the access log's. The door is {@link io.weir.server.json.Json}. */
@org.jspecify.annotations.NullMarked
package io.weir.server.json;

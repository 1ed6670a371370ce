/**
 * {@code weir migrate}: configurations of other servers read into the {@code weir.yaml} that does the same. Door: {@link
 * io.weir.server.migrate.Migration}. What cannot be said in Weir is listed; where it refused something, the result refuses
 * more.
 */
@org.jspecify.annotations.NullMarked
package io.weir.server.migrate;

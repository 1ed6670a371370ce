/** Tests of the translation of {@code obj.conf}. */
@org.jspecify.annotations.NullMarked
package io.weir.server.migrate.nginx;

/**
 * The files of the Sun and iPlanet proxies as a layer of the configuration below {@code weir.yaml}: {@code magnus.conf},
 * {@code server.xml} and the Init lines of {@code obj.conf}. The door is {@link io.weir.server.config.sun.SunFiles}.
 */
@org.jspecify.annotations.NullMarked
package io.weir.server.config.sun;

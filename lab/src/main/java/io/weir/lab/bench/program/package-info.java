/**
 * Small programs on Netty that the matrix starts: the floors, which do the least that a server can do, the origin of
 * tunnels and WebSockets, and their load.
 */
@NullMarked
package io.weir.lab.bench.program;

import org.jspecify.annotations.NullMarked;

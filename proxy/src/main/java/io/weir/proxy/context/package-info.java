/** State shared by the requests of all muxers, and of one: settings, counters, the program in force, scratch memory. */
@NullMarked
package io.weir.proxy.context;

import org.jspecify.annotations.NullMarked;

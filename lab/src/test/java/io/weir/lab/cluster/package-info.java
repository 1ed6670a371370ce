/** Three servers as processes on one machine, and what happens to their singleton when one is killed, stopped or robbed. */
@NullMarked
package io.weir.lab.cluster;

import org.jspecify.annotations.NullMarked;

@NullMarked
package io.weir.server.processes;

import org.jspecify.annotations.NullMarked;

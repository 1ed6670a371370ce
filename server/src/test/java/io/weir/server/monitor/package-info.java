@NullMarked
package io.weir.server.monitor;

import org.jspecify.annotations.NullMarked;

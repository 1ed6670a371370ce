@NullMarked
package io.weir.server.log;

import org.jspecify.annotations.NullMarked;

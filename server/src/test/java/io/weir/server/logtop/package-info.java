@NullMarked
package io.weir.server.logtop;

import org.jspecify.annotations.NullMarked;

@NullMarked
package io.weir.server.config.sun;

import org.jspecify.annotations.NullMarked;

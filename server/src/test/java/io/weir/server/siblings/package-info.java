@NullMarked
package io.weir.server.siblings;

import org.jspecify.annotations.NullMarked;

@NullMarked
package io.weir.server;

import org.jspecify.annotations.NullMarked;

@NullMarked
package io.weir.server.catalogue;

import org.jspecify.annotations.NullMarked;

@NullMarked
package io.weir.server.cluster;

import org.jspecify.annotations.NullMarked;

@NullMarked
package io.weir.server.docs;

import org.jspecify.annotations.NullMarked;

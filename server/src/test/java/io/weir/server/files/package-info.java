@NullMarked
package io.weir.server.files;

import org.jspecify.annotations.NullMarked;

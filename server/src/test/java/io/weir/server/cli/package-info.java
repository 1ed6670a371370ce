@NullMarked
package io.weir.server.cli;

import org.jspecify.annotations.NullMarked;

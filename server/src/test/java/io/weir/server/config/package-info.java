@NullMarked
package io.weir.server.config;

import org.jspecify.annotations.NullMarked;

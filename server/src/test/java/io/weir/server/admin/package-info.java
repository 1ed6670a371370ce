@NullMarked
package io.weir.server.admin;

import org.jspecify.annotations.NullMarked;

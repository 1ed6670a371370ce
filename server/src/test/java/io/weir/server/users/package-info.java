@NullMarked
package io.weir.server.users;

import org.jspecify.annotations.NullMarked;

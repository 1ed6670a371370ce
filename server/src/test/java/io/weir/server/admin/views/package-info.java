@NullMarked
package io.weir.server.admin.views;

import org.jspecify.annotations.NullMarked;

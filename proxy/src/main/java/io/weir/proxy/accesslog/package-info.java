@NullMarked
package io.weir.proxy.accesslog;

import org.jspecify.annotations.NullMarked;

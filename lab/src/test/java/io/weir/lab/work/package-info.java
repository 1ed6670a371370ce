/** Work managers and request classes, questioned through a whole server: {@code docs/kernel.md}. */
@NullMarked
package io.weir.lab.work;

import org.jspecify.annotations.NullMarked;

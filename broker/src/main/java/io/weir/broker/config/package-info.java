/** Configuration of messaging: the section {@code messaging}, with WebLogic's names, ranges and defaults. */
@NullMarked
package io.weir.broker.config;

import org.jspecify.annotations.NullMarked;

@NullMarked
package io.weir.lab;

import org.jspecify.annotations.NullMarked;

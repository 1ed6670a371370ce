/** Request functions for the tests: packed in a jar that scenarios name as {@code ${functions}}. */
@NullMarked
package io.weir.lab.functions;

import org.jspecify.annotations.NullMarked;

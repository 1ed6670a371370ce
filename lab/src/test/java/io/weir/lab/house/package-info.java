/** Tests of the laws of the house: size, names, forbidden calls, directions between rooms, lint, poms. */
@NullMarked
package io.weir.lab.house;

import org.jspecify.annotations.NullMarked;

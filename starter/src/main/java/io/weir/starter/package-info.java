/** What Spring Boot applications get with one dependency: connection factories, their properties, and health. */
@NullMarked
package io.weir.starter;

import org.jspecify.annotations.NullMarked;

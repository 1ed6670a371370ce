/** Applications that use the client's jar, each in a JVM of its own with the class path that a user would give it. */
@NullMarked
package io.weir.lab.application;

import org.jspecify.annotations.NullMarked;

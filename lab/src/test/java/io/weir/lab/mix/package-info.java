/** A random mix of everything the proxy does, compared with a model: clients and origins of both versions of HTTP at once. */
@NullMarked
package io.weir.lab.mix;

import org.jspecify.annotations.NullMarked;

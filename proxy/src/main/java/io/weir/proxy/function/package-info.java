/**
 * The API for custom functions ({@code docs/functions.md}): {@link RequestFunction} is implemented by them, {@link
 * FunctionRequest} is what they see, {@link Verdict} is what they return. Depends on nothing else of the proxy.
 */
@NullMarked
package io.weir.proxy.function;

import org.jspecify.annotations.NullMarked;

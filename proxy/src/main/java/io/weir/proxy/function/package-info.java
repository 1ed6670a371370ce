/**
 * What users link who write functions of their own ({@code docs/functions.md}): {@link RequestFunction} is what they
 * implement, {@link FunctionRequest} what they see, {@link Verdict} what they answer. Depends on nothing else of the proxy.
 */
@NullMarked
package io.weir.proxy.function;

import org.jspecify.annotations.NullMarked;

/**
 * The server application functions: the built-in ones, by stage, and those of users' jars. {@link FunctionCatalogue}
 * finds them by name.
 */
@NullMarked
package io.weir.proxy.program.functions;

import org.jspecify.annotations.NullMarked;

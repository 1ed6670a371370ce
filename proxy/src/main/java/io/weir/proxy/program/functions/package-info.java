/**
 * The server application functions: those that Weir brings, by stage, and those of users' jars. {@link FunctionCatalogue}
 * finds them by name.
 */
@NullMarked
package io.weir.proxy.program.functions;

import org.jspecify.annotations.NullMarked;

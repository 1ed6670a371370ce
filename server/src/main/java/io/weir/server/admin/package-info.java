/** The admin HTTP listener: its own event loop, strict limits, access rules and a router for views and changes. */
@NullMarked
package io.weir.server.admin;

import org.jspecify.annotations.NullMarked;

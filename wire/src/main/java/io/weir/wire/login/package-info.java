/** Logins: principals and realms, client credentials, and the limits and caching of password checks. */
@NullMarked
package io.weir.wire.login;

import org.jspecify.annotations.NullMarked;

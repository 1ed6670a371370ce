/** Who may log in: principals and realms, and what a client logs in with; how checks of passwords are bounded and remembered. */
@NullMarked
package io.weir.wire.login;

import org.jspecify.annotations.NullMarked;

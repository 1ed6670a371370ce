package io.weir.wire.login;

import java.util.List;

/**
 * A logged-in user. Immutable.
 *
 * @param user the name
 * @param groups the user's groups according to the realm
 */
public record Principal(String user, List<String> groups) {
    /** Copies the list of groups. */
    public Principal {
        groups = List.copyOf(groups);
    }
}

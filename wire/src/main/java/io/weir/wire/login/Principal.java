package io.weir.wire.login;

import java.util.List;

/**
 * Who logged in. Immutable.
 *
 * @param user the name
 * @param groups the groups that the realm says it is in
 */
public record Principal(String user, List<String> groups) {
    /** Keeps a copy of the groups. */
    public Principal {
        groups = List.copyOf(groups);
    }
}

package io.weir.wire.invoke;

import io.weir.wire.Principal;
import org.jspecify.annotations.Nullable;

/** Who may call what. Asked on event loops: it answers from memory. Shared. */
@FunctionalInterface
public interface Access {
    /**
     * Why the caller may not; null when he may.
     *
     * @param role the group that the service wants its callers in; null: none
     */
    @Nullable
    String refusal(Principal caller, String service, @Nullable String role);

    /** Whoever logged in with a name, in the group where one is wanted. */
    static Access named(String guest) {
        return (caller, service, role) -> {
            if (caller.user().isEmpty() || caller.user().equals(guest)) {
                return "calls need a login with a name";
            }
            return role == null || caller.groups().contains(role)
                    ? null
                    : caller.user() + " is not in the group " + role + ", which may call " + service;
        };
    }
}

package io.weir.wire.invoke.dispatch;

import io.weir.wire.login.Principal;
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

    /** Whoever was let in, guests where they are welcome; in the group where one is wanted. */
    static Access welcome() {
        return (caller, service, role) -> role == null || caller.groups().contains(role)
                ? null
                : caller.user() + " is not in the group " + role + ", which may call " + service;
    }

    /** The same without guests: any user logged in by name. */
    static Access named(String guest) {
        Access all = welcome();
        return (caller, service, role) ->
                caller.user().isEmpty() || caller.user().equals(guest)
                        ? "calls need a login with a name"
                        : all.refusal(caller, service, role);
    }
}

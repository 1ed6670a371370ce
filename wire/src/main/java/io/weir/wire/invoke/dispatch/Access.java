package io.weir.wire.invoke.dispatch;

import io.weir.wire.login.Principal;
import org.jspecify.annotations.Nullable;

/** Access control of calls. Called on event loops: it must answer from memory. Shared. */
@FunctionalInterface
public interface Access {
    /**
     * The reason why the caller is denied; null if it is allowed.
     *
     * @param role the group that the service requires of its callers; null: none
     */
    @Nullable
    String refusal(Principal caller, String service, @Nullable String role);

    /** Allows every authenticated caller, including guests if they may log in; requires the group if there is one. */
    static Access welcome() {
        return (caller, service, role) -> role == null || caller.groups().contains(role)
                ? null
                : caller.user() + " is not in the group " + role + ", which may call " + service;
    }

    /** As {@link #welcome}, without guests: any user logged in by name. */
    static Access named(String guest) {
        Access all = welcome();
        return (caller, service, role) ->
                caller.user().isEmpty() || caller.user().equals(guest)
                        ? "calls need a login with a name"
                        : all.refusal(caller, service, role);
    }
}

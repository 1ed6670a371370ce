package io.weir.server.admin;

/** The realm behind Basic credentials on the admin listener. Shared; called on admin threads, because it may block. */
@FunctionalInterface
public interface AdminUsers {
    /** No users: only the token is accepted. */
    AdminUsers NONE = (_, _) -> false;

    /** Whether the password is correct and the user belongs to the group {@code admin}. */
    boolean isAdmin(String user, String password);
}

package io.weir.server.admin;

/** The access rules' verdict on a request's head. */
sealed interface AccessVerdict {
    /** The request is allowed, in this author's name. */
    record Allowed(String author) implements AccessVerdict {}

    /** The request is answered at once; the reason is a label of the refusal counter. */
    record Refused(String reason, AdminAnswer answer) implements AccessVerdict {}

    /** The realm must check the password first. */
    record CheckPassword(String user, String password) implements AccessVerdict {}
}

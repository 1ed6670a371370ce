package io.weir.server.admin;

/** What the access rules say about a request's head. */
sealed interface AccessVerdict {
    /** It may go on, in this author's name. */
    record Allowed(String author) implements AccessVerdict {}

    /** It is answered at once; the reason is a label of the refusal counter. */
    record Refused(String reason, AdminAnswer answer) implements AccessVerdict {}

    /** The realm must be asked first. */
    record Ask(String user, String password) implements AccessVerdict {}
}

package io.weir.wire;

import io.weir.base.DeclaredMessage;
import io.weir.base.Severity;

/** The wire's part of the message catalogue. */
public enum WireMessages implements DeclaredMessage {
    CONNECTED(40600, Severity.FINE, "Connection {} from {}: user {}, client {}", ""),
    FAULT(40601, Severity.INFO, "Connection from {} was closed, {}: {}", ""),
    LOGIN_REFUSED(
            40602,
            Severity.WARNING,
            "A login from {} was refused ({}): {}",
            "See weir_wire_logins_total; ./weir passwd sets a password."),
    UNCAUGHT(
            40603,
            Severity.ERROR,
            "Uncaught error while a frame of {} was handled, connection closed: {}",
            "This is a bug in Weir: please report it with this line."),
    REALM_FAILED(
            40604,
            Severity.ERROR,
            "The users cannot be read, so all logins are refused: {}",
            "Repair the file of users, or delete it and add users with ./weir passwd."),
    CALL_REFUSED(40605, Severity.FINE, "A {} was refused because too many are waiting: {}", ""),
    CALL_FAILED(
            40606,
            Severity.WARNING,
            "{} of {} threw an exception that its interface does not declare: {}",
            "Its caller got the exception's class and text.");

    private final Declaration declaration;

    WireMessages(int id, Severity severity, String text, String remedy) {
        this.declaration = new Declaration(id, severity, "Wire", text, remedy);
    }

    /** Messages that clients can trigger are logged once per address and cause. */
    @Override
    public boolean limited() {
        return this == FAULT || DeclaredMessage.super.limited();
    }

    @Override
    public Declaration declaration() {
        return declaration;
    }
}

package io.weir.server.admin;

import io.weir.base.DeclaredMessage;
import io.weir.base.Severity;

/** The messages of the admin listener. Immutable. */
public enum AdminMessages implements DeclaredMessage {
    HANDLER_FAILED(
            170060,
            Severity.ERROR,
            "Admin",
            "The admin request {} {} failed: {}",
            "This is a bug in the server: please report the message."),
    NOT_WRITTEN(
            170064,
            Severity.ERROR,
            "Admin",
            "The admin request {} {} changed nothing: {}",
            "Make room on the disk, or set the folder's permissions, and repeat the request."),
    VIEW_FAILED(
            170061,
            Severity.ERROR,
            "Admin",
            "Sampling for the monitoring views failed: {}",
            "Views show older figures until the cause is gone."),
    BEAN_REFUSED(
            170063,
            Severity.WARNING,
            "Admin",
            "The MBean {} could not be registered or removed: {}",
            "Another server in the same process may have taken the name; turn admin.jmx off in one of them."),
    BEYOND_LOOPBACK(
            170062,
            Severity.WARNING,
            "Admin",
            "The admin listener is bound to {}: every request needs the token, which travels unencrypted.",
            "Bind it to loopback and reach it through a tunnel.");

    private final Declaration declaration;

    AdminMessages(int id, Severity severity, String subsystem, String text, String remedy) {
        this.declaration = new Declaration(id, severity, subsystem, text, remedy);
    }

    @Override
    public Declaration declaration() {
        return declaration;
    }
}

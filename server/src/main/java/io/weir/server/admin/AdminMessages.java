package io.weir.server.admin;

import io.weir.base.LogMessage;
import io.weir.base.Severity;

/** The messages of the admin listener. Immutable. */
public enum AdminMessages implements LogMessage {
    HANDLER_FAILED(
            170060,
            Severity.ERROR,
            "Admin",
            "The admin request {} {} failed: {}",
            "This is a defect of the server: please report the message."),
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

    private final int id;
    private final Severity severity;
    private final String subsystem;
    private final String text;
    private final String remedy;

    AdminMessages(int id, Severity severity, String subsystem, String text, String remedy) {
        this.id = id;
        this.severity = severity;
        this.subsystem = subsystem;
        this.text = text;
        this.remedy = remedy;
    }

    @Override
    public int id() {
        return id;
    }

    @Override
    public Severity severity() {
        return severity;
    }

    @Override
    public String subsystem() {
        return subsystem;
    }

    @Override
    public String text() {
        return text;
    }

    @Override
    public String remedy() {
        return remedy;
    }
}

package io.weir.proxy.accesslog;

import io.weir.base.LogMessage;
import io.weir.base.Severity;

/** The messages of the access log. Immutable. */
public enum AccessLogMessages implements LogMessage {
    OPEN_FAILED(
            451001,
            "The access log {} cannot be opened: {}",
            "Records are lost until it can; the server goes on. Check directory, permissions and descriptors."),
    WRITE_FAILED(
            451002,
            "The access log {} cannot be written: {}",
            "Records are lost until it can; the server goes on. Check the disk's free space."),
    ROTATION_FAILED(
            451003,
            "The access log {} cannot be put aside: {}",
            "The file grows on. Check the directory's permissions.");

    private final int id;
    private final String text;
    private final String remedy;

    AccessLogMessages(int id, String text, String remedy) {
        this.id = id;
        this.text = text;
        this.remedy = remedy;
    }

    @Override
    public int id() {
        return id;
    }

    @Override
    public Severity severity() {
        return Severity.ERROR;
    }

    @Override
    public String subsystem() {
        return "Proxy";
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

package io.weir.proxy.accesslog;

import io.weir.base.DeclaredMessage;
import io.weir.base.Severity;

/** The messages of the access log. Immutable. */
public enum AccessLogMessages implements DeclaredMessage {
    OPEN_FAILED(
            451001,
            "The access log {} cannot be opened: {}",
            "Records are lost until it can be opened, which is tried again with the next records; the server"
                    + " continues. Check directory, permissions and descriptors."),
    WRITE_FAILED(
            451002,
            "The access log {} cannot be written: {}",
            "Records are lost until it can be written, which is tried again with the next records; the server"
                    + " continues. Check the disk's free space."),
    ROTATION_FAILED(
            451003,
            "The access log {} cannot be rotated: {}",
            "The file keeps growing. Check the directory's permissions."),
    WRITTEN_AGAIN(
            451004,
            Severity.NOTICE,
            "The access log {} is written again; {} records were lost",
            "weir_access_log_lost_total counts them."),
    COMPRESSION_FAILED(
            451005,
            "The rotated access log {} cannot be compressed: {}",
            "It stays uncompressed. Check the disk's free space.");

    private final Declaration declaration;

    AccessLogMessages(int id, String text, String remedy) {
        this(id, Severity.ERROR, text, remedy);
    }

    AccessLogMessages(int id, Severity severity, String text, String remedy) {
        this.declaration = new Declaration(id, severity, "Proxy", text, remedy);
    }

    @Override
    public Declaration declaration() {
        return declaration;
    }
}

package io.weir.server.files;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.Locale;

/** A file of the server could not be written; the message has which and why. No partial file is left. */
public final class NotWritten extends IOException {
    private static final long serialVersionUID = 1L;

    private final boolean full;

    public NotWritten(Path file, IOException cause) {
        super(file.toAbsolutePath() + " cannot be written: " + reason(cause), cause);
        this.full = isFull(cause);
    }

    /** Whether there was no room: on the disk, or in the user's quota. */
    public boolean full() {
        return full;
    }

    private static String reason(IOException cause) {
        String reason = cause instanceof FileSystemException f ? f.getReason() : null;
        return reason != null ? reason : cause instanceof FileSystemException ? cause.toString() : text(cause);
    }

    private static String text(IOException cause) {
        return cause.getMessage() == null ? cause.toString() : cause.getMessage();
    }

    /** Whether the system reported that. */
    public static boolean isFull(IOException cause) {
        String text = String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT);
        return text.contains("no space left") || text.contains("quota exceeded") || text.contains("file too large");
    }
}

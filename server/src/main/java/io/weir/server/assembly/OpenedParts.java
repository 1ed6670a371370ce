package io.weir.server.assembly;

import java.io.PrintStream;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.Predicate;

/**
 * The parts that a server or a supervisor opened; all are closed in the reverse order, even if some fail to close.
 * Shared.
 */
public final class OpenedParts implements AutoCloseable {
    /** The last opened first. */
    private final Deque<AutoCloseable> parts = new ConcurrentLinkedDeque<>();

    private final PrintStream stdout;

    /** @param stdout where failures to close are reported: the log may be closed already */
    public OpenedParts(PrintStream stdout) {
        this.stdout = stdout;
    }

    /** Adds a part, which is closed before the others. */
    public <T extends AutoCloseable> T add(T part) {
        parts.push(part);
        return part;
    }

    /** The open parts, the last opened first. */
    public Collection<AutoCloseable> all() {
        return List.copyOf(parts);
    }

    /** Closes the matching parts now, the last opened first. */
    void close(Predicate<AutoCloseable> some) {
        for (AutoCloseable part : all()) {
            if (some.test(part) && parts.remove(part)) {
                closePart(part);
            }
        }
    }

    @Override
    public void close() {
        for (AutoCloseable part = parts.poll(); part != null; part = parts.poll()) {
            closePart(part);
        }
    }

    private void closePart(AutoCloseable part) {
        try {
            part.close();
        } catch (Exception e) {
            stdout.println("weir: " + part.getClass().getSimpleName() + " could not be closed: " + e);
        }
    }
}

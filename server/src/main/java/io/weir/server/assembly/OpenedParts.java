package io.weir.server.assembly;

import java.io.PrintStream;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.Predicate;

/** What a server or a supervisor opened; all is closed in the reverse order, whatever of it fails. Shared. */
public final class OpenedParts implements AutoCloseable {
    /** The last first. */
    private final Deque<AutoCloseable> parts = new ConcurrentLinkedDeque<>();

    private final PrintStream stdout;

    /** @param stdout where a part that cannot be closed is told of: the log may be closed already */
    public OpenedParts(PrintStream stdout) {
        this.stdout = stdout;
    }

    /** One more, which is closed before the others. */
    public <T extends AutoCloseable> T add(T part) {
        parts.push(part);
        return part;
    }

    /** Those that are open, the last first. */
    public Collection<AutoCloseable> all() {
        return List.copyOf(parts);
    }

    /** Closes some now, the last first. */
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

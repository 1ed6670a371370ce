package io.weir.base;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A log that records its messages, for tests. Shared. */
public final class RecordingLog implements Log {
    /** One message as it was logged. */
    public record Entry(LogMessage message, List<Object> arguments) {}

    private final List<Entry> entries = new CopyOnWriteArrayList<>();

    @Override
    public boolean wants(LogMessage message) {
        return true;
    }

    @Override
    public void log(LogMessage message, Object... arguments) {
        entries.add(new Entry(message, List.of(arguments)));
    }

    public List<Entry> entries() {
        return List.copyOf(entries);
    }

    /** How often a message was logged. */
    public long count(LogMessage message) {
        return entries.stream().filter(e -> e.message().equals(message)).count();
    }
}

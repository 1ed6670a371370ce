package io.weir.lab.mix;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What is configured, over the ledger's time: a change is in force at the latest when it was answered, and not before it was
 * asked for. Shared; guarded by itself.
 */
final class Timeline<T> {
    private record Change<T>(long asked, long answered, T value) {}

    private final List<Change<T>> changes = new ArrayList<>();

    Timeline(T first) {
        changes.add(new Change<>(0, 0, first));
    }

    /** A change was asked for; it is in force or not until it is answered. */
    synchronized void asked(long when, T value) {
        changes.add(new Change<>(when, Long.MAX_VALUE, value));
    }

    synchronized void answered(long when) {
        Change<T> last = changes.removeLast();
        changes.add(new Change<>(last.asked, when, last.value));
    }

    /** All that may have been in force at some time in between. */
    synchronized Set<T> within(long from, long to) {
        Set<T> values = new LinkedHashSet<>();
        for (int i = changes.size() - 1; i >= 0; i--) {
            Change<T> c = changes.get(i);
            if (c.asked <= to) {
                values.add(c.value);
            }
            if (c.answered <= from) {
                break;
            }
        }
        return values;
    }
}

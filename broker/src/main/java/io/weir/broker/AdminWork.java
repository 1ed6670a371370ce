package io.weir.broker;

import io.weir.jms.frames.MessageView;
import io.weir.jms.selector.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What an administrator does to messages that wait in a queue. Stateless; called on the queue's loop. */
final class AdminWork {
    private AdminWork() {}

    /** What a selector selects; null selects all. */
    static Predicate<Entry> selected(@Nullable Selector selector) {
        MessageView view = new MessageView();
        return e -> selector == null || selector.matches(view.wrap(e.message.block()), e.attempt());
    }

    /** Entries that wait behind a place, in the order of delivery. */
    static List<Entry> select(MessageQueue queue, @Nullable Selector selector, long cursor, int max) {
        Predicate<Entry> selected = selected(selector);
        List<Entry> found = new ArrayList<>();
        for (Entry e = queue.available().first();
                e != null && found.size() < max;
                e = queue.available().after(e)) {
            if (Browsing.place(e) > cursor && selected.test(e)) {
                found.add(e);
            }
        }
        return found;
    }

    /**
     * Deletes entries that are in no list.
     *
     * @param before sees them when they are gone from the store, while they can still be read
     * @param done told on the loop; with a failure they are there still
     */
    static void delete(MessageQueue queue, List<Entry> entries, Consumer<List<Entry>> before, Sent done) {
        queue.destination.engine.store().remove(queue, entries, failure -> {
            if (failure == null) {
                before.accept(entries);
                entries.forEach(queue::forget);
            }
            done.done(failure);
        });
    }
}

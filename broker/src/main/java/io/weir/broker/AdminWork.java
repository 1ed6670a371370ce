package io.weir.broker;

import io.weir.jms.frames.MessageView;
import io.weir.jms.selector.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What an administrator does to messages that wait in a queue. Stateless; called on the queue's loop. */
final class AdminWork {
    private AdminWork() {}

    /** Entries that wait behind a place, in the order of delivery. */
    static List<Entry> select(MessageQueue queue, @Nullable Selector selector, long cursor, int max) {
        MessageView view = new MessageView();
        List<Entry> found = new ArrayList<>();
        for (Entry e = queue.available().first();
                e != null && found.size() < max;
                e = queue.available().after(e)) {
            if (Browsing.place(e) > cursor
                    && (selector == null || selector.matches(view.wrap(e.message.block()), e.deliveries + 1))) {
                found.add(e);
            }
        }
        return found;
    }

    static int delete(MessageQueue queue, List<Entry> entries) {
        for (Entry e : entries) {
            queue.take(e);
            queue.drop(e);
        }
        return entries.size();
    }

    static CompletableFuture<Integer> move(Engine engine, MessageQueue queue, List<Entry> entries, Destination to) {
        CompletableFuture<Integer> done = new CompletableFuture<>();
        int[] left = {entries.size()};
        int[] moved = {0};
        if (entries.isEmpty()) {
            done.complete(0);
        }
        for (Entry e : entries) {
            queue.take(e);
        }
        for (Entry e : entries) {
            engine.redirection().move(e, to, failure -> {
                moved[0] += failure == null ? 1 : 0;
                if (--left[0] == 0) {
                    queue.dispatch();
                    done.complete(moved[0]);
                }
            });
        }
        return done;
    }
}

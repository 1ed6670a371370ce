package io.weir.broker.queue;

import io.weir.broker.report.RequestRefusal;
import io.weir.jms.frames.DestinationName;
import io.weir.jms.frames.MessageView;
import io.weir.jms.frames.RefusalCode;
import io.weir.jms.selector.Selector;
import io.weir.jms.selector.SelectorFault;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Parsing of selectors, and their application to the messages that wait in a queue. Stateless; called on the queue's
 * loop.
 */
public final class EntrySelection {
    private EntrySelection() {}

    /**
     * Parses a selector; returns null for a blank text.
     *
     * @param where the destination it applies to, for the text of the refusal
     */
    public static @Nullable Selector parse(@Nullable String text, DestinationName where) throws RequestRefusal {
        if (text == null || text.isBlank()) {
            return null;
        }
        try {
            return Selector.parse(text);
        } catch (SelectorFault f) {
            throw new RequestRefusal(
                    RefusalCode.INVALID_SELECTOR, "the selector for " + where + " does not parse: " + f.getMessage());
        }
    }

    /** The predicate of a selector; null selects all. */
    public static Predicate<QueueEntry> by(@Nullable Selector selector) {
        MessageView view = new MessageView();
        return e -> selector == null || selector.matches(view.wrap(e.message.block()), e.attempt());
    }

    /** Waiting entries after a place, in the order of delivery. */
    public static List<QueueEntry> page(MessageQueue queue, @Nullable Selector selector, long cursor, int max) {
        Predicate<QueueEntry> selected = by(selector);
        List<QueueEntry> found = new ArrayList<>();
        for (QueueEntry e = queue.available().first();
                e != null && found.size() < max;
                e = queue.available().after(e)) {
            if (e.place() > cursor && selected.test(e)) {
                found.add(e);
            }
        }
        return found;
    }
}

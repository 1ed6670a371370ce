package io.weir.jms.client.delivery;

import jakarta.jms.JMSException;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The messages that a client-acknowledged session consumed on lost links without acknowledging them: they cannot be
 * acknowledged any more. The next acknowledgement fails, once, unless the session has received the same messages again
 * since. Shared by the session's thread and the one that restores links; lives as long as its session.
 */
public final class LostConsumption {
    /** Maximum lost links whose consumed messages are remembered; of older ones only that there were some. */
    static final int MOST = 8;

    private final ArrayDeque<Attachment> lost = new ArrayDeque<>();
    private boolean more;

    /** Adds an attachment on a lost link, because the session continues on another. */
    public synchronized void add(Attachment before) {
        lost.removeIf(a -> !a.owesNotice());
        lost.add(before);
        if (lost.size() > MOST) {
            lost.remove();
            more = true;
        }
    }

    /** Clears it, because the application requested redelivery of unacknowledged messages. */
    public synchronized void forget() {
        lost.clear();
        more = false;
    }

    /** Throws, once, if consumed messages cannot be acknowledged. */
    public synchronized void check(@Nullable Attachment now) throws JMSException {
        Set<ConsumedIds.Id> missing = new HashSet<>();
        lost.stream()
                .filter(Attachment::owesNotice)
                .forEach(a -> missing.addAll(a.acks().consumedIds()));
        if (now != null) {
            missing.removeAll(now.acks().consumedIds());
        }
        boolean some = more || !missing.isEmpty();
        forget();
        if (some) {
            throw unacknowledged();
        }
    }

    static JMSException unacknowledged() {
        return new JMSException(
                "the connection was lost before messages received on it were acknowledged: nothing is"
                        + " acknowledged now, and they are redelivered, flagged as such",
                "LOST");
    }
}

package io.weir.jms.client.delivery;

import jakarta.jms.JMSException;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a client-acknowledged session consumed on links that were lost and did not acknowledge there: it can not be
 * acknowledged any more. The next acknowledgement fails, once, unless the session has received the same messages again
 * since. Shared by the session's thread and the one that makes links; lives as long as its session.
 */
public final class LostConsumption {
    /** Links of which it is remembered what was consumed there; of older ones that something was. */
    static final int MOST = 8;

    private final ArrayDeque<Attachment> lost = new ArrayDeque<>();
    private boolean more;

    /** The session goes on elsewhere. */
    public synchronized void add(Attachment before) {
        lost.removeIf(a -> !a.owesWord());
        lost.add(before);
        if (lost.size() > MOST) {
            lost.remove();
            more = true;
        }
    }

    /** What was not acknowledged is to come again, as the application wishes. */
    public synchronized void forget() {
        lost.clear();
        more = false;
    }

    /** Says, once, that consumed messages can not be acknowledged. */
    public synchronized void check(@Nullable Attachment now) throws JMSException {
        Set<ConsumedIds.Id> missing = new HashSet<>();
        lost.stream()
                .filter(Attachment::owesWord)
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
                "a connection by which consumed messages came was lost before they were acknowledged: nothing is"
                        + " acknowledged now, and those come again, flagged",
                "LOST");
    }
}

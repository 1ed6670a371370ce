package io.weir.jms.client.delivery;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A queue of deliveries to their consuming thread, in order. Any thread adds without a lock, one at a time takes.
 * Bounded by the session's window, or by the size of its RECEIVE.
 */
public final class Inbox {
    private final AtomicReference<@Nullable Delivery> last = new AtomicReference<>();
    private volatile @Nullable Delivery first;

    /** Adds a delivery at the end; from any thread. */
    public void add(Delivery delivery) {
        Delivery before = last.getAndSet(delivery);
        if (before == null) {
            first = delivery;
        } else {
            before.next = delivery;
        }
    }

    /** Whether nothing waits. */
    public boolean isEmpty() {
        return first == null;
    }

    /** The oldest, or null. */
    @Nullable
    public Delivery poll() {
        Delivery head = first;
        if (head == null) {
            return null;
        }
        Delivery next = head.next;
        if (next == null && !last.compareAndSet(head, null)) {
            while ((next = head.next) == null) {
                Thread.onSpinWait();
            }
        } else if (next == null) {
            return emptied(head);
        }
        first = next;
        // It may be added to another inbox.
        head.next = null;
        return head;
    }

    /** The head was the last; a concurrent add has set {@code first} already, or will. */
    private Delivery emptied(Delivery head) {
        FIRST.compareAndSet(this, head, null);
        return head;
    }

    private static final java.lang.invoke.VarHandle FIRST = firstHandle();

    private static java.lang.invoke.VarHandle firstHandle() {
        try {
            return java.lang.invoke.MethodHandles.lookup().findVarHandle(Inbox.class, "first", Delivery.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}

package io.weir.jms.client.consumer;

import io.weir.jms.client.settings.PrefetchMode;
import jakarta.jms.JMSException;

/**
 * When a session's synchronous consumer fetches batches (WebLogic's JMS tuning, "Synchronous Clients, User Transactions
 * and Session Sharing"). The first {@code receive} decides for the rest of the session: on, if it has a single
 * consumer; silently off, if several were created before or the receive is part of a user transaction. Once it is on,
 * both of these throw an exception. Used by the session's thread.
 */
public final class PrefetchRules {
    private enum State {
        UNDECIDED,
        ON,
        OFF
    }

    private final PrefetchMode mode;
    private State state;

    /** Creates the rules of a session that has not received yet. */
    public PrefetchRules(PrefetchMode mode) {
        this.mode = mode;
        this.state = mode == PrefetchMode.DISABLED ? State.OFF : State.UNDECIDED;
    }

    /**
     * Called before a consumer is created.
     *
     * @param others open consumers of the session
     */
    public void creating(int others) throws JMSException {
        if (state == State.ON && others > 0) {
            throw new JMSException(
                    "prefetch is on since the session's first receive: it allows a single consumer (SynchronousPrefetchMode)",
                    "PREFETCH");
        }
    }

    /**
     * Called when a receive begins.
     *
     * @param consumers open consumers of the session
     * @return whether it fetches a batch
     */
    boolean receiving(int consumers, boolean topic, boolean userTransaction) throws JMSException {
        if (state == State.UNDECIDED) {
            state = consumers > 1 || userTransaction || !mode.covers(topic) ? State.OFF : State.ON;
        } else if (state == State.ON && userTransaction) {
            throw new JMSException(
                    "prefetch is on since the session's first receive: it can not take part in a user transaction"
                            + " (SynchronousPrefetchMode)",
                    "PREFETCH");
        }
        return state == State.ON && mode.covers(topic);
    }
}

package io.weir.jms;

import io.weir.jms.client.settings.AckMode;

/** Session modes beyond those of {@code jakarta.jms.Session}, for {@code createSession} and {@code createContext}. */
public final class WeirSession {
    /**
     * WebLogic's NO_ACKNOWLEDGE: the server drops a message when it has sent it, and nothing is acknowledged. {@code
     * recover} does not redeliver messages; those in transit on a lost connection are lost. For the highest rates.
     */
    public static final int NO_ACKNOWLEDGE = 4;

    static {
        if (AckMode.NONE.jms() != NO_ACKNOWLEDGE) {
            throw new IllegalStateException("NO_ACKNOWLEDGE has two values");
        }
    }

    private WeirSession() {}
}

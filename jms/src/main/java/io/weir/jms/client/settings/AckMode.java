package io.weir.jms.client.settings;

import io.weir.jms.frames.ClientFrames.OpenSession;
import jakarta.jms.JMSException;
import jakarta.jms.Session;

/** How a session's messages are acknowledged. Immutable. */
public enum AckMode {
    TRANSACTED(Session.SESSION_TRANSACTED, OpenSession.TRANSACTED),
    AUTO(Session.AUTO_ACKNOWLEDGE, OpenSession.AUTO),
    CLIENT(Session.CLIENT_ACKNOWLEDGE, OpenSession.CLIENT),
    DUPS_OK(Session.DUPS_OK_ACKNOWLEDGE, OpenSession.DUPLICATES_ALLOWED),
    /** WebLogic's NO_ACKNOWLEDGE: the server drops a message when it sends it. */
    NONE(4, OpenSession.NONE),
    /** Of an XA session: transacted while it works in a branch, otherwise automatic. */
    BRANCHES(Session.SESSION_TRANSACTED, OpenSession.BRANCHES);

    private final int jms;
    private final int wire;

    AckMode(int jms, int wire) {
        this.jms = jms;
        this.wire = wire;
    }

    /** The constant of {@link Session}, or 4. */
    public int jms() {
        return jms;
    }

    /** Its number in OPEN_SESSION. */
    public int wire() {
        return wire;
    }

    /** Whether the client acknowledges consumed messages automatically. */
    public boolean automatic() {
        return this == AUTO || this == DUPS_OK;
    }

    /** The mode of a constant. */
    public static AckMode of(int jms) throws JMSException {
        for (AckMode m : values()) {
            if (m.jms == jms) {
                return m;
            }
        }
        if (jms == 128) {
            throw new JMSException("multicast sessions are not supported", "MODE");
        }
        throw new JMSException("not a session mode: " + jms, "MODE");
    }
}

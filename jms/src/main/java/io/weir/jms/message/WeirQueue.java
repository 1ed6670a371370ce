package io.weir.jms.message;

import io.weir.jms.frames.DestinationKind;
import jakarta.jms.Queue;

/** A queue. Immutable. */
public sealed class WeirQueue extends WeirDestination implements Queue permits WeirTemporaryQueue {
    private static final long serialVersionUID = 1;

    public WeirQueue(String name) {
        this(DestinationKind.QUEUE, name);
    }

    WeirQueue(DestinationKind kind, String name) {
        super(kind, name);
    }

    @Override
    public String getQueueName() {
        return name();
    }
}

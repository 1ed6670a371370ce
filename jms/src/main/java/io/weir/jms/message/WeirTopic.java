package io.weir.jms.message;

import io.weir.jms.frames.DestinationKind;
import jakarta.jms.Topic;

/** A topic. Immutable. */
public sealed class WeirTopic extends WeirDestination implements Topic permits WeirTemporaryTopic {
    private static final long serialVersionUID = 1;

    public WeirTopic(String name) {
        this(DestinationKind.TOPIC, name);
    }

    WeirTopic(DestinationKind kind, String name) {
        super(kind, name);
    }

    @Override
    public String getTopicName() {
        return name();
    }
}

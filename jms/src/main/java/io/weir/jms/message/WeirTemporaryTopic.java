package io.weir.jms.message;

import io.weir.jms.frames.DestinationKind;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.TemporaryTopic;
import org.jspecify.annotations.Nullable;

/** A topic that lives as long as its connection, unless it is deleted before. Immutable. */
public final class WeirTemporaryTopic extends WeirTopic implements TemporaryTopic {
    private static final long serialVersionUID = 1;

    private final transient @Nullable Deleter deleter;

    /**
     * @param deleter called by {@link #delete}; null for one received in a message: only the connection that created it
     * can delete it
     */
    public WeirTemporaryTopic(String name, @Nullable Deleter deleter) {
        super(DestinationKind.TEMPORARY_TOPIC, name);
        this.deleter = deleter;
    }

    @Override
    public void delete() throws JMSException {
        if (deleter == null) {
            throw new IllegalStateException(this + " can only be deleted by the connection that created it");
        }
        deleter.delete(this);
    }
}

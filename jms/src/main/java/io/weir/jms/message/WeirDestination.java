package io.weir.jms.message;

import io.weir.jms.frames.DestinationKind;
import io.weir.jms.frames.DestinationName;
import jakarta.jms.Destination;
import jakarta.jms.InvalidDestinationException;
import java.io.Serializable;
import javax.naming.Reference;
import javax.naming.Referenceable;
import javax.naming.StringRefAddr;
import org.jspecify.annotations.Nullable;

/**
 * A destination of a Weir broker: kind and name. Equal if both are equal. It can be bound in any JNDI directory.
 * Immutable.
 */
public abstract sealed class WeirDestination implements Destination, Serializable, Referenceable
        permits WeirQueue, WeirTopic {
    private static final long serialVersionUID = 1;

    /** The key of the name in a JNDI reference. */
    public static final String NAME = "name";

    private static final String FACTORY = "io.weir.jms.WeirObjectFactory";

    /** Deletes a temporary destination at the broker; provided by the connection that created it. */
    @FunctionalInterface
    public interface Deleter {
        void delete(WeirDestination destination) throws jakarta.jms.JMSException;
    }

    private final DestinationKind kind;
    private final String name;
    private transient @Nullable DestinationName wireName;

    WeirDestination(DestinationKind kind, String name) {
        this.kind = kind;
        this.name = name;
    }

    /** The destination for a name in a frame; a temporary one created by this method cannot be deleted. */
    public static WeirDestination of(DestinationName wire) {
        return switch (wire.kind()) {
            case QUEUE -> new WeirQueue(wire.name());
            case TOPIC -> new WeirTopic(wire.name());
            case TEMPORARY_QUEUE -> new WeirTemporaryQueue(wire.name(), null);
            case TEMPORARY_TOPIC -> new WeirTemporaryTopic(wire.name(), null);
        };
    }

    /**
     * An application's destination as one of Weir's.
     *
     * @throws InvalidDestinationException if it is null or another provider's
     */
    public static WeirDestination of(@Nullable Destination destination) throws InvalidDestinationException {
        if (destination instanceof WeirDestination ours) {
            return ours;
        }
        throw new InvalidDestinationException(
                destination == null
                        ? "no destination was given"
                        : destination + " is a destination of another provider (" + destination.getClass() + ")");
    }

    public DestinationKind kind() {
        return kind;
    }

    /** The name without its kind. */
    public String name() {
        return name;
    }

    /** Its form in frames. */
    public DestinationName wireName() {
        DestinationName known = wireName;
        if (known == null) {
            known = new DestinationName(kind, name);
            wireName = known;
        }
        return known;
    }

    @Override
    public Reference getReference() {
        return new Reference(getClass().getName(), new StringRefAddr(NAME, name), FACTORY, null);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof WeirDestination d && d.kind == kind && d.name.equals(name);
    }

    @Override
    public int hashCode() {
        return 31 * name.hashCode() + kind.code();
    }

    /** "queue/orders". */
    @Override
    public String toString() {
        return wireName().toString();
    }
}

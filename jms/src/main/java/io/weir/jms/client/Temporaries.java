package io.weir.jms.client;

import io.weir.jms.client.link.LinkStream;
import io.weir.jms.frames.BrokerFrames.Ok;
import io.weir.jms.frames.ClientFrames.CreateTemporary;
import io.weir.jms.frames.ClientFrames.DeleteTemporary;
import io.weir.jms.frames.DestinationKind;
import io.weir.jms.frames.FrameType;
import io.weir.jms.message.WeirDestination;
import io.weir.jms.message.WeirTemporaryQueue;
import io.weir.jms.message.WeirTemporaryTopic;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * The temporary destinations of a connection: only its own sessions can consume from them and only it can delete them.
 * The broker deletes them with the connection; a reconnection does not restore them, and their use is then refused.
 * Shared.
 */
final class Temporaries {
    private final LinkStream.Source control;
    private final Predicate<WeirDestination> consumed;
    private final Set<WeirDestination> alive = ConcurrentHashMap.newKeySet();

    /**
     * Creates an empty set.
     *
     * @param control the connection's own stream on the link
     * @param consumed whether the connection has a consumer of a destination
     */
    Temporaries(LinkStream.Source control, Predicate<WeirDestination> consumed) {
        this.control = control;
        this.consumed = consumed;
    }

    WeirDestination create(DestinationKind kind) throws JMSException {
        Ok ok = control.stream()
                .call(FrameType.CREATE_TEMPORARY, (out, request) -> new CreateTemporary(request, kind).write(out));
        String name = ok == null ? null : ok.value();
        if (name == null) {
            throw new JMSException("the server returned no name of the temporary destination", "INTERNAL");
        }
        WeirDestination made = kind == DestinationKind.TEMPORARY_QUEUE
                ? new WeirTemporaryQueue(name, this::delete)
                : new WeirTemporaryTopic(name, this::delete);
        alive.add(made);
        return made;
    }

    private void delete(WeirDestination destination) throws JMSException {
        if (consumed.test(destination)) {
            throw new IllegalStateException(destination + " has consumers, close them first", "IN_USE");
        }
        if (!alive.contains(destination)) {
            return;
        }
        control.stream()
                .call(
                        FrameType.DELETE_TEMPORARY,
                        (out, request) -> new DeleteTemporary(request, destination.wireName()).write(out));
        alive.remove(destination);
    }

    /** Refuses consumers of other connections' temporary destinations. */
    void checkOwn(WeirDestination destination) throws JMSException {
        if (destination.kind().temporary() && !alive.contains(destination)) {
            throw new InvalidDestinationException(
                    destination + " is a temporary destination of another connection, or was deleted", "TEMPORARY");
        }
    }

    /** Clears the set, because the connection was lost and all of them with it. */
    void lost() {
        alive.clear();
    }
}

package io.weir.jms.client;

import io.weir.jms.client.link.LinkStream;
import io.weir.jms.frames.ClientFrames.CheckDestination;
import io.weir.jms.frames.FrameType;
import io.weir.jms.message.WeirDestination;
import jakarta.jms.JMSException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A cache of the destinations that exist, checked at the broker on the current link; at most {@link #MOST}. Shared. */
final class KnownDestinations {
    /** Maximum cached destinations; others are checked at the broker each time. */
    static final int MOST = 1000;

    private final LinkStream.Source control;
    private final Set<WeirDestination> known = ConcurrentHashMap.newKeySet();

    /** @param control the connection's own stream on the link */
    KnownDestinations(LinkStream.Source control) {
        this.control = control;
    }

    /** Checks at the broker that the destination exists, once for each. */
    void check(WeirDestination destination) throws JMSException {
        if (destination.kind().temporary() || known.contains(destination)) {
            return;
        }
        control.stream()
                .call(
                        FrameType.CHECK_DESTINATION,
                        (out, request) -> new CheckDestination(request, destination.wireName()).write(out));
        if (known.size() < MOST) {
            known.add(destination);
        }
    }

    /** Clears the cache after the connection was lost: the next link may lead to a server with other destinations. */
    void lost() {
        known.clear();
    }
}

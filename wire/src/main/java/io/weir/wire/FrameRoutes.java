package io.weir.wire;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/**
 * The assignment of frame types to services on a server's connections, so that one listener serves all of them.
 * Immutable; shared by all connections.
 */
public final class FrameRoutes implements Function<WireConnection, FrameHandler> {
    /** A type is one byte. */
    private static final int TYPES = 256;

    /**
     * A service and its frame types.
     *
     * @param first the lowest type, above those of naming
     * @param last the highest type
     * @param atLogin whether its handler is created when a connection is logged in; otherwise with the first frame for
     * it, so that it is not notified of connections that do not use it
     * @param service creates the handler of a connection, on its loop
     */
    public record Route(int first, int last, boolean atLogin, Function<WireConnection, FrameHandler> service) {
        /** @throws IllegalArgumentException if the range is empty, or not reserved for services */
        public Route {
            if (first <= WireFrame.LAST_OF_NAMING || last < first || last >= TYPES) {
                throw new IllegalArgumentException("not a range of service types: " + first + " to " + last);
            }
        }
    }

    private final List<Route> routes;
    private final byte[] byType = new byte[TYPES];

    /**
     * Creates routes whose types must not overlap.
     *
     * @throws IllegalArgumentException if two ranges overlap
     */
    public FrameRoutes(List<Route> routes) {
        this.routes = List.copyOf(routes);
        Arrays.fill(byType, (byte) -1);
        for (int i = 0; i < this.routes.size(); i++) {
            Route r = this.routes.get(i);
            for (int type = r.first(); type <= r.last(); type++) {
                if (byType[type] >= 0) {
                    throw new IllegalArgumentException("two services have the type 0x" + Integer.toHexString(type));
                }
                byType[type] = (byte) i;
            }
        }
    }

    List<Route> routes() {
        return routes;
    }

    /** The index of the route for this type, or -1. */
    int place(int type) {
        return byType[type];
    }

    @Override
    public FrameHandler apply(WireConnection connection) {
        return new RoutedFrames(this, connection);
    }
}

package io.weir.wire;

import io.netty.buffer.ByteBuf;
import io.weir.wire.WireFault.Reason;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Passes the frames of one connection to the services that own their types. Confined to the connection's loop. */
final class RoutedFrames implements FrameHandler {
    private final FrameRoutes routes;
    private final WireConnection connection;
    private final @Nullable FrameHandler[] handlers;

    RoutedFrames(FrameRoutes routes, WireConnection connection) {
        this.routes = routes;
        this.connection = connection;
        List<FrameRoutes.Route> all = routes.routes();
        this.handlers = new @Nullable FrameHandler[all.size()];
        for (int i = 0; i < handlers.length; i++) {
            if (all.get(i).atLogin()) {
                open(i);
            }
        }
    }

    private FrameHandler open(int place) {
        FrameHandler made = routes.routes().get(place).service().apply(connection);
        handlers[place] = made;
        return made;
    }

    @Override
    public void frame(int type, int stream, ByteBuf payload) {
        int place = routes.place(type);
        if (place < 0) {
            throw new WireFault(Reason.UNKNOWN_TYPE, "unknown frame type 0x" + Integer.toHexString(type));
        }
        FrameHandler h = handlers[place];
        (h == null ? open(place) : h).frame(type, stream, payload);
    }

    @Override
    public void readComplete() {
        for (FrameHandler h : handlers) {
            if (h != null) {
                h.readComplete();
            }
        }
    }

    @Override
    public void writable(boolean now) {
        for (FrameHandler h : handlers) {
            if (h != null) {
                h.writable(now);
            }
        }
    }

    /** Notifies each, even if others throw. */
    @Override
    public void closed(@Nullable Throwable cause) {
        RuntimeException failure = null;
        for (FrameHandler h : handlers) {
            try {
                if (h != null) {
                    h.closed(cause);
                }
            } catch (RuntimeException e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** Chains the handlers, one after the other. */
    @Override
    public void whenFree(Runnable then) {
        Runnable next = then;
        for (FrameHandler h : handlers) {
            if (h != null) {
                Runnable after = next;
                next = () -> h.whenFree(after);
            }
        }
        next.run();
    }
}

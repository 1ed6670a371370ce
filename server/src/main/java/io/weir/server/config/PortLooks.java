package io.weir.server.config;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Locale;

/** Checks whether the ports of a configuration can be bound now; each is released at once. Stateless. */
final class PortLooks {
    /** The result for a port. */
    enum State {
        FREE,
        TAKEN,
        DENIED,
        /** Another failure, which is reported elsewhere. */
        UNKNOWN
    }

    /** A place to listen on. */
    interface Place {
        void is(String key, String address, int port);
    }

    private PortLooks() {}

    /** Checks all given ports; 0 is always free. */
    static void each(WeirConfig config, Place place) {
        if (config.admin().enabled() && config.admin().port() != 0) {
            place.is("admin.port", config.admin().address(), config.admin().port());
        }
        config.listeners().forEach((name, l) -> {
            if (l.port() != 0) {
                place.is("listeners." + name + ".port", l.address(), l.port());
            }
        });
    }

    static State look(String address, int port) {
        try (ServerSocket probe = new ServerSocket()) {
            probe.bind(new InetSocketAddress(InetAddress.getByName(address), port));
            return State.FREE;
        } catch (BindException e) {
            String text = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
            return text.contains("already in use")
                    ? State.TAKEN
                    : text.contains("denied") || text.contains("not permitted") ? State.DENIED : State.UNKNOWN;
        } catch (IOException e) {
            return State.UNKNOWN;
        }
    }
}

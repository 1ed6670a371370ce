package io.weir.base;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.random.RandomGenerator;

/**
 * Finds a port that its owner keeps across restarts: a free one outside the ranges from which systems assign ports to
 * outgoing connections (32768 and above on Linux, 49152 by IANA), because otherwise another process could have it when
 * it is needed again. Stateless.
 */
public final class KeptPort {
    private static final int LOWEST = 20_000;
    private static final int HIGHEST = 32_000;
    private static final int TRIES = 200;

    private KeptPort() {}

    /** A free port in the range; if none is found there, any free port. */
    public static int on(InetAddress address) throws IOException {
        RandomGenerator random = Chance.unseeded().random();
        for (int i = 0; i < TRIES; i++) {
            try (ServerSocket socket = new ServerSocket(random.nextInt(LOWEST, HIGHEST), 1, address)) {
                return socket.getLocalPort();
            } catch (BindException e) {
                // in use
            }
        }
        try (ServerSocket socket = new ServerSocket(0, 1, address)) {
            return socket.getLocalPort();
        }
    }
}

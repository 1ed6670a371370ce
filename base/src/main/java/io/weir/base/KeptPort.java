package io.weir.base;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.random.RandomGenerator;

/**
 * Finds a port for who keeps it over restarts: one that is free, and none of those that systems give to outgoing connections
 * (32768 and above on Linux, 49152 by IANA), or another process could have it when it is needed again. Stateless.
 */
public final class KeptPort {
    private static final int LOWEST = 20_000;
    private static final int BEYOND = 32_000;
    private static final int TRIES = 200;

    private KeptPort() {}

    /** A free port there; where none is found among those, any. */
    public static int on(InetAddress address) throws IOException {
        RandomGenerator random = Chance.unseeded().random();
        for (int i = 0; i < TRIES; i++) {
            try (ServerSocket socket = new ServerSocket(random.nextInt(LOWEST, BEYOND), 1, address)) {
                return socket.getLocalPort();
            } catch (BindException e) {
                // somebody has it
            }
        }
        try (ServerSocket socket = new ServerSocket(0, 1, address)) {
            return socket.getLocalPort();
        }
    }
}

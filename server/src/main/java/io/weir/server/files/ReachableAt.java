package io.weir.server.files;

import java.net.InetSocketAddress;

/** Where a server is reached, as its pid file and its notices say it. */
public final class ReachableAt {
    /** Where messaging is reached, in the pid file. */
    public static final String MESSAGING = "messaging";

    private ReachableAt() {}

    /** Address and port by which this machine reaches it. */
    public static String reachable(InetSocketAddress at) {
        return at.getAddress().isAnyLocalAddress() ? "127.0.0.1:" + at.getPort() : text(at);
    }

    /** Address and port as an URL has them. */
    private static String text(InetSocketAddress at) {
        String host = at.getAddress().getHostAddress();
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + at.getPort();
    }
}

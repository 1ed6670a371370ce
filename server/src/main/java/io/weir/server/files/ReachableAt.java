package io.weir.server.files;

import java.net.InetSocketAddress;

/** A server's addresses in the form of its pid file and its notices. */
public final class ReachableAt {
    /** Key of messaging's address in the pid file. */
    public static final String MESSAGING = "messaging";

    private ReachableAt() {}

    /** Address and port at which this machine reaches it. */
    public static String reachable(InetSocketAddress at) {
        return at.getAddress().isAnyLocalAddress() ? "127.0.0.1:" + at.getPort() : text(at);
    }

    /** Address and port in the form of a URL. */
    private static String text(InetSocketAddress at) {
        String host = at.getAddress().getHostAddress();
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + at.getPort();
    }
}

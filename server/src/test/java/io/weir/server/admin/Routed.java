package io.weir.server.admin;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Objects;

/** Asks a router as the listener would. Stateless. */
public final class Routed {
    private Routed() {}

    /** What the handler of the path answers to somebody. */
    public static AdminAnswer ask(
            AdminRouter router, String method, String path, Map<String, String> query, String author) throws Exception {
        return ask(router, method, path, query, author, "");
    }

    /** The same, with a body. */
    public static AdminAnswer ask(
            AdminRouter router, String method, String path, Map<String, String> query, String author, String body)
            throws Exception {
        AdminRouter.Now route = (AdminRouter.Now)
                Objects.requireNonNull(router.find(method, path).route(), path);
        InetSocketAddress remote = new InetSocketAddress(InetAddress.getLoopbackAddress(), 4711);
        return route.handler().answer(new AdminRequest(method, path, query, Map.of(), body, remote, author));
    }
}

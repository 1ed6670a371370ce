package io.weir.lab.mix;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * An origin that does with each request what its plan says, and notes in the ledger what it heard and said. Each connection
 * has a virtual thread; lives until closed. Thread-safe.
 */
final class MixOrigin implements AutoCloseable {
    final String name;
    final Ledger ledger;
    final long seed;
    private final boolean http2;
    private final ServerSocket server = new ServerSocket(0, 512, InetAddress.getLoopbackAddress());
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    MixOrigin(String name, Ledger ledger, long seed, boolean http2) throws IOException {
        this.name = name;
        this.ledger = ledger;
        this.seed = seed;
        this.http2 = http2;
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return server.getLocalPort();
    }

    String url() {
        return "http://127.0.0.1:" + port();
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = server.accept();
                open.add(socket);
                Thread.ofVirtual().start(() -> serve(socket));
            }
        } catch (IOException e) {
            // closed: the run is over
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            Dice dice = Dice.of(seed, socket.getPort());
            if (http2) {
                new Http2Origin(this, socket, dice).serve();
            } else {
                new Http1Origin(this, new Wire(socket, dice), dice).serve();
            }
        } catch (IOException e) {
            // the proxy closed the connection, or this end broke it on purpose
        } finally {
            open.remove(socket);
        }
    }

    /**
     * A request's head is there: is it the one that was asked?
     *
     * @param fields names in lower case
     * @param tunnelled whether it came through a tunnel, to the letter
     * @return whose it is; null where nobody asked this
     */
    @Nullable
    Ask heard(String method, String host, String path, Map<String, String> fields, boolean tunnelled) {
        String id = fields.get("x-ask");
        Ask ask = id == null ? null : ledger.ask(Long.parseLong(id));
        String said = name + " heard " + method + " " + host + path + " " + fields;
        if (ask == null) {
            ledger.violation(Feature.CUTS, said + ", which nobody asked");
            return null;
        }
        if (!method.equals(ask.method)) {
            ledger.violation(Feature.CUTS, said + " for " + ask);
        }
        if (!tunnelled && (!host.equals(ask.target.host()) || !path.equals(ask.target.path()))) {
            ledger.violation(ask.spelled ? Feature.SPELLINGS : Feature.CUTS, said + " for " + ask);
        }
        if (!ask.language.equals(fields.get("x-lang")) || fields.containsKey("x-hop")) {
            ledger.violation(Feature.VARIANTS, said + " for " + ask);
        }
        if (ask.scheme != null && !tunnelled) {
            ledger.violation(Feature.SCHEMES, said + " for " + ask);
        }
        boolean elsewhere = tunnelled || ask.target.place() == Target.Place.FORWARD;
        long now = ledger.now();
        if (elsewhere && !Permission.mayPass(ledger, ask, now)) {
            ledger.violation(Feature.OUTSIDERS, said + ", which the rules forbid to " + ask);
        }
        if (ledger.arrived(ask) > 1 && method.equals("POST")) {
            ledger.violation(Feature.SILENT_CLOSE, said + " a second time");
        }
        return ask;
    }

    /** A body is there, whole. */
    void body(Ask ask, byte[] body) {
        byte[] meant = ask.body == null ? new byte[0] : Content.of(ask.body);
        int at = Content.difference(meant, body);
        if (at < meant.length || body.length != meant.length) {
            ledger.violation(
                    Feature.UPLOADS,
                    name + " got " + body.length + " bytes instead of " + meant.length + ", different from " + at + ": "
                            + ask);
        }
    }

    /** How many connections are open. */
    int open() {
        return open.size();
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket socket : open) {
            socket.close();
        }
    }
}

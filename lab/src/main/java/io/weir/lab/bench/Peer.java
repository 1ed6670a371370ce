package io.weir.lab.bench;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** A server to compare with. */
enum Peer {
    NGINX(Program.NGINX),
    HAPROXY(Program.HAPROXY),
    VARNISH(Program.VARNISH),
    SQUID(Program.SQUID),
    TRAFFICSERVER(Program.TRAFFIC_SERVER);

    private final Program program;

    Peer(Program program) {
        this.program = program;
    }

    Program program() {
        return program;
    }

    String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Optional<Peer> named(String key) {
        return Arrays.stream(values()).filter(p -> p.key().equals(key)).findFirst();
    }
}

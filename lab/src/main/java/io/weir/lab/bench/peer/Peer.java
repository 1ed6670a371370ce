package io.weir.lab.bench.peer;

import io.weir.lab.bench.process.Program;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** A server to compare with. */
public enum Peer {
    NGINX(Program.NGINX),
    HAPROXY(Program.HAPROXY),
    VARNISH(Program.VARNISH),
    SQUID(Program.SQUID),
    TRAFFICSERVER(Program.TRAFFIC_SERVER);

    private final Program program;

    Peer(Program program) {
        this.program = program;
    }

    public Program program() {
        return program;
    }

    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<Peer> named(String key) {
        return Arrays.stream(values()).filter(p -> p.key().equals(key)).findFirst();
    }
}

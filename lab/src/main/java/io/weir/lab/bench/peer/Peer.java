package io.weir.lab.bench.peer;

import io.weir.lab.bench.process.PeerProgram;
import java.util.Locale;

/** A server to compare with. */
public enum Peer {
    NGINX(PeerProgram.NGINX),
    HAPROXY(PeerProgram.HAPROXY),
    VARNISH(PeerProgram.VARNISH),
    SQUID(PeerProgram.SQUID),
    TRAFFICSERVER(PeerProgram.TRAFFIC_SERVER);

    private final PeerProgram program;

    Peer(PeerProgram program) {
        this.program = program;
    }

    public PeerProgram program() {
        return program;
    }

    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }
}

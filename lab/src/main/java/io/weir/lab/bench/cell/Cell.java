package io.weir.lab.bench.cell;

import io.weir.lab.bench.peer.Peer;
import io.weir.lab.bench.peer.Size;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A cell of the matrix. Immutable.
 *
 * @param size of an answer's body, of an upload, or of an echo in each direction
 */
public record Cell(CellProtocol protocol, CellWork work, Size size) {
    /** Weir's processor time by that of the best peer. */
    private static final double TARGET = 1.0;

    private static final double HIT_TARGET = 0.8;

    /** A hit by its floor. */
    private static final double FLOOR_TARGET = 1.15;

    private static final List<Cell> ALL = table();

    /** All cells, in the order in which they are measured. */
    public static List<Cell> all() {
        return ALL;
    }

    private static List<Cell> table() {
        List<Cell> cells = new ArrayList<>();
        for (CellProtocol protocol : CellProtocol.values()) {
            for (CellWork work : CellWork.values()) {
                for (Size size : sizes(work)) {
                    Cell cell = new Cell(protocol, work, size);
                    if (cell.generated()) {
                        cells.add(cell);
                    }
                }
            }
        }
        return List.copyOf(cells);
    }

    /** A 304 has no body, a new connection costs the same whatever it is for, and the shapes of misses differ in heads. */
    private static List<Size> sizes(CellWork work) {
        return switch (work) {
            case HIT, MISS, RANGE, UPLOAD, TUNNEL, WEBSOCKET -> List.of(Size.values());
            case MISS_FIELDS, MISS_CHUNKED, MISS_CLOSED, CONDITIONAL, CONNECTION -> List.of(Size.ONE);
        };
    }

    /** No load opens tunnels and WebSockets within HTTP/2. */
    private boolean generated() {
        return protocol != CellProtocol.H2 || !work.echoes();
    }

    /** Such as {@code h2-hit-1k}. */
    public String name() {
        return protocol.key() + "-" + work.key() + "-" + size.key();
    }

    /** The path of its requests. */
    public String path() {
        return switch (work) {
            case UPLOAD, TUNNEL, WEBSOCKET -> work.folder();
            default -> work.folder() + size.key();
        };
    }

    /** The fields of its requests that make it what it is, by name. */
    public Map<String, String> fields() {
        return switch (work) {
            case CONDITIONAL -> Map.of("If-None-Match", CellWork.ENTITY_TAG);
            case RANGE -> Map.of("Range", "bytes=" + size.bytes() / 2 + "-" + (size.bytes() / 2 + size.bytes() - 1));
            default -> Map.of();
        };
    }

    /** The status of its answers. */
    public int status() {
        return switch (work) {
            case CONDITIONAL -> 304;
            case RANGE -> 206;
            default -> 200;
        };
    }

    /** The servers that can do it. */
    public Set<Peer> peers() {
        Set<Peer> peers = capable();
        if (protocol.secure()) {
            // Debian's Varnish has no TLS, and Squid's is not measured
            peers.removeAll(EnumSet.of(Peer.VARNISH, Peer.SQUID));
        }
        return peers;
    }

    private Set<Peer> capable() {
        return switch (work) {
            case HIT, MISS, MISS_FIELDS, MISS_CHUNKED, MISS_CLOSED, CONDITIONAL, UPLOAD, CONNECTION ->
                EnumSet.allOf(Peer.class);
            // HAProxy serves no parts from its cache
            case RANGE -> EnumSet.complementOf(EnumSet.of(Peer.HAPROXY));
            // nginx, HAProxy and Varnish are no forward proxies
            case TUNNEL -> EnumSet.of(Peer.SQUID, Peer.TRAFFICSERVER);
            case WEBSOCKET -> EnumSet.complementOf(EnumSet.of(Peer.SQUID));
        };
    }

    public Reaching reaching() {
        return switch (work) {
            case HIT, CONDITIONAL, RANGE, CONNECTION -> Reaching.NONE;
            case MISS, MISS_FIELDS, MISS_CHUNKED, MISS_CLOSED, UPLOAD, TUNNEL, WEBSOCKET -> Reaching.ALL;
        };
    }

    public Generator generator() {
        if (work.echoes()) {
            return Generator.ECHO;
        }
        if (work == CellWork.CONNECTION && protocol.secure()) {
            return protocol == CellProtocol.H2 ? Generator.H2_CONNECTIONS : Generator.HANDSHAKES;
        }
        if (protocol == CellProtocol.H2) {
            return Generator.H2LOAD;
        }
        return work == CellWork.CONDITIONAL ? Generator.H1LOAD : Generator.WRK;
    }

    /** What it is compared with besides the peers, if there is something. */
    public Optional<Floor> floor() {
        if (work == CellWork.HIT || (protocol == CellProtocol.H2 && work.misses())) {
            return Optional.of(protocol == CellProtocol.H2 ? Floor.HTTP2 : Floor.ANSWER);
        }
        // a relay would close the client's connection with the origin's
        boolean relayed = work.misses() && work != CellWork.MISS_CLOSED;
        return relayed || work.echoes() ? Optional.of(Floor.RELAY) : Optional.empty();
    }

    /** The upper bound of the ratio to the best peer. */
    public double target() {
        return work == CellWork.HIT ? HIT_TARGET : TARGET;
    }

    /** The upper bounds of the ratio to the floor; empty if none is set. */
    public List<Double> floorTargets() {
        return work == CellWork.HIT ? List.of(FLOOR_TARGET) : List.of();
    }
}

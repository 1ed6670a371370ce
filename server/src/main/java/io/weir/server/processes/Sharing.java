package io.weir.server.processes;

import io.weir.server.siblings.ProcessCaches;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Which workers ask each other's caches: those that can be asked, answer, and were started in the same way, so that those
 * of an upgrade do not ask the ones that they replace. Workers that start together learn of each other at the same time,
 * and serve only then: otherwise each would fetch everything for itself in the first seconds of a cold start. Confined to
 * the supervisor's loop; lives as long as the supervisor.
 */
final class Sharing {
    private static final int SECRET_BYTES = 32;

    /** Probes that a worker may have left unanswered: with more, it is likely to hang. */
    private static final int UNANSWERED = 1;

    private final String secret;
    private final Map<Worker, Place> places = new LinkedHashMap<>();

    /** Where a worker is asked, and what it knows of the others. */
    private static final class Place {
        private final Launch by;
        /** Its port; {@link ProcessCaches#NOT_SHARING} if nobody can ask it; empty: it has not said that yet. */
        private String port = "";

        private String told = "";

        Place(Launch by) {
            this.by = by;
        }
    }

    Sharing() {
        byte[] random = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(random);
        this.secret = HexFormat.of().formatHex(random);
    }

    void started(Worker w, Launch by) {
        places.put(w, new Place(by));
    }

    void linked(Worker w) {
        tell(w, ProcessCaches.SECRET + " " + secret);
    }

    /** Others may ask it at this port, or not at all. */
    void shares(Worker w, String port) {
        Place place = places.get(w);
        if (place != null && port.matches("\\d{1,5}")) {
            place.port = port;
            changed();
        }
    }

    void exited(Worker w) {
        places.remove(w);
        changed();
    }

    /** Tells those that it concerns who the others are, if it has changed. */
    void changed() {
        places.forEach((w, place) -> {
            if (shares(w, place) && !awaitsOthers(place)) {
                String all = places.entrySet().stream()
                        .filter(e -> shares(e.getKey(), e.getValue()) && alike(e.getValue(), place))
                        .map(e -> e.getKey().slot() + "=" + e.getValue().port)
                        .collect(Collectors.joining(","));
                if (!all.equals(place.told)) {
                    place.told = all;
                    tell(w, ProcessCaches.SHARE + " " + all);
                }
            }
        });
    }

    private static boolean shares(Worker w, Place place) {
        return lives(w)
                && !place.port.isEmpty()
                && !place.port.equals(ProcessCaches.NOT_SHARING)
                && w.unanswered() <= UNANSWERED;
    }

    private static boolean lives(Worker w) {
        return w.state() == Worker.State.STARTING || w.state() == Worker.State.READY;
    }

    /** Whether none that was started in this way serves yet, and one has not said whether it can be asked. */
    private boolean awaitsOthers(Place place) {
        boolean awaits = false;
        for (Map.Entry<Worker, Place> e : places.entrySet()) {
            if (alike(e.getValue(), place)) {
                if (e.getKey().state() == Worker.State.READY) {
                    return false;
                }
                awaits |= lives(e.getKey()) && e.getValue().port.isEmpty();
            }
        }
        return awaits;
    }

    // identity: an upgrade with the same program and the same text is another launch
    @SuppressWarnings("ReferenceEquality")
    private static boolean alike(Place one, Place other) {
        return one.by == other.by;
    }

    private static void tell(Worker w, String letter) {
        w.order(Orders.FROM + " " + ProcessCaches.SUPERVISOR + " " + letter);
    }
}

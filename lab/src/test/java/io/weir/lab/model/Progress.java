package io.weir.lab.model;

import io.weir.broker.SimulatedBroker.Contents;
import io.weir.broker.SimulatedBroker.Waiting;
import java.util.ArrayList;
import java.util.List;

/** Whether what can go on does, when everything stands still. Good for one look. */
final class Progress {
    private final Simulation world;

    Progress(Simulation world) {
        this.world = world;
    }

    void check(Place p, Contents there) {
        if (p.consumptionPaused) {
            return;
        }
        List<PeerConsumer> ready = new ArrayList<>();
        for (PeerConsumer c : p.consumers) {
            if (c.open && !c.closing && isReady(c)) {
                ready.add(c);
            }
        }
        if (ready.isEmpty()) {
            return;
        }
        for (Waiting w : there.waiting()) {
            Letter l = world.books.letter(w.body());
            Copy copy = p.copy(w.body());
            if (l == null
                    || copy == null
                    || w.delayed()
                    || world.books.deliveries().isExpired(copy)) {
                continue;
            }
            for (PeerConsumer c : ready) {
                if (c.wants(l) && mayHave(p, l, c) && !isChosen(p, l, ready)) {
                    world.wrong(l + " waits in " + p + ", and " + c + " waits for it");
                }
            }
        }
    }

    private static boolean isReady(PeerConsumer c) {
        PeerSession s = c.session;
        if (s.peer.lost || !s.peer.started || !s.peer.reading || s.undoing || s.closing || s.closed) {
            return false;
        }
        if (c.receiving != null) {
            return true;
        }
        return c.pushed && (s.window < 0 || s.outstanding < Math.max(1, s.window));
    }

    private static boolean mayHave(Place p, Letter l, PeerConsumer c) {
        if (l.group == null) {
            return true;
        }
        GroupOwners owners = p.owners.get(l.group);
        return owners == null || owners.mayHave(l, c);
    }

    /**
     * Whether a group may belong to a consumer that was never given a message of it: the broker chose it, marked the message in the
     * store and found it stopped then.
     */
    private static boolean isChosen(Place p, Letter l, List<PeerConsumer> ready) {
        return l.group != null
                && l.persistent
                && p.durable
                && p.consumers.stream().anyMatch(c -> c.wants(l) && !ready.contains(c));
    }
}

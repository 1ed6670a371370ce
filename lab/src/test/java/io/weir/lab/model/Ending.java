package io.weir.lab.model;

import io.weir.jms.frames.DestinationKind;
import io.weir.jms.frames.DestinationName;
import org.jspecify.annotations.Nullable;

/** The end of a run: all is drained, nothing must be left, neither in memory nor on the disk. Good for one run. */
final class Ending {
    private final Simulation world;

    Ending(Simulation world) {
        this.world = world;
    }

    void run() {
        world.log("the end: the disk is well, everything is consumed");
        world.heal();
        world.disk().losePowerAfter(Long.MAX_VALUE / 2);
        world.settle();
        world.advance(3_000);
        world.settle();
        world.audit();
        if (world.isWrong()) {
            return;
        }
        world.restart();
        if (world.isWrong()) {
            return;
        }
        world.inject(false);
        world.advance(Math.max(60_000, world.books.lastDeliveryTime() - world.clock.millis() + 1));
        drain();
        if (!world.isWrong()) {
            empty();
        }
    }

    private void drain() {
        for (String queue : Profile.QUEUES) {
            Place p = world.books.queue(queue);
            if (!p.closed) {
                PeerSession s = session(null);
                PeerConsumer c = new PeerConsumer(s, s.nextConsumer(), p, Choice.ALL, true, null);
                s.open(c, "", new DestinationName(DestinationKind.QUEUE, queue), 0, null);
                empty(s);
            }
        }
        for (Slot slot : world.books.subscriptions().slots()) {
            if (slot.current != null && slot.terms != null && slot.key.durable() && !world.isWrong()) {
                PeerSession s = session(slot.key.clientId());
                operations(s, slot, slot.terms);
                empty(s);
            }
        }
    }

    private static void operations(PeerSession s, Slot slot, Slot.Terms terms) {
        Operations.subscribe(s, slot, terms, true);
    }

    private PeerSession session(@Nullable String clientId) {
        Peer p = world.connect();
        if (clientId != null) {
            p.claim(clientId);
        }
        PeerSession s = new PeerSession(p, p.nextStream(), PeerSession.CLIENT, -1);
        p.sessions.add(s);
        s.open();
        return s;
    }

    private void empty(PeerSession s) {
        world.settle();
        while (!s.inbox.isEmpty()) {
            s.see(s.inbox.remove());
            if (s.blocked != null) {
                world.settle();
            }
        }
        s.acknowledgeAll();
        s.sync();
        world.settle();
        world.audit();
        s.peer.cut(world.random());
        world.peers().remove(s.peer);
        world.settle();
    }

    private void empty() {
        world.advance(3_000);
        world.settle();
        world.audit();
        if (world.isWrong()) {
            return;
        }
        if (!world.broker().charged().isEmpty()) {
            world.wrong("everything is consumed, and messages count against quotas: "
                    + world.broker().charged() + ", at destinations: "
                    + world.broker().uncounted());
        }
        if (world.broker().messagesInMemory() != 0) {
            world.wrong("everything is consumed, and " + world.broker().messagesInMemory()
                    + " messages count against memory");
        }
        long durable = world.books.subscriptions().slots().stream()
                .filter(s -> s.key.durable() && s.current != null)
                .count();
        if (world.broker().journalEntries() != durable) {
            world.wrong("everything is consumed, and the journal has "
                    + world.broker().journalEntries() + " entries for " + durable + " subscriptions");
        }
        world.restart();
    }
}

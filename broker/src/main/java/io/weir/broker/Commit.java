package io.weir.broker;

import java.util.List;

/**
 * One commit under way: what is persistent becomes durable as one group of the journal, then sends become visible and
 * acknowledgements count. Begins and ends on the session's loop and visits those of the destinations in between.
 */
final class Commit {
    private final Engine engine;
    private final Loop home;
    private final List<LocalTransaction.PendingSend> sends;
    private final List<Entry> acknowledged;

    Commit(Engine engine, Loop home, List<LocalTransaction.PendingSend> sends, List<Entry> acknowledged) {
        this.engine = engine;
        this.home = home;
        this.sends = sends;
        this.acknowledged = acknowledged;
    }

    List<Entry> acknowledged() {
        return acknowledged;
    }

    void run(Sent done) {
        LocalTransaction.byLoop(sends)
                .forEach((loop, some) -> loop.run(() -> {
                    for (LocalTransaction.PendingSend s : some) {
                        SessionSends.accept(s.destination(), s.message(), Sent.NOBODY);
                    }
                }));
        Settling settling = new Settling(home);
        acknowledged.forEach(settling::acknowledge);
        settling.flush();
        done.done(null);
    }
}

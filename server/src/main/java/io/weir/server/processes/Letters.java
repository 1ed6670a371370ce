package io.weir.server.processes;

import io.weir.base.Clock;
import io.weir.server.siblings.ProcessCaches;
import io.weir.server.siblings.PurgeLetter;
import java.util.Collection;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Passes letters on between workers, and tells the one that asked last which others there are: those that have, or are
 * about to get, the listening sockets, and so may serve. Letters to those that have ended are dropped; those to the
 * supervisor are about its purges and shared caches. Confined to the supervisor's loop; lives as long as the supervisor.
 */
final class Letters {
    private static final String SUPERVISOR = Long.toString(ProcessCaches.SUPERVISOR);

    private final Collection<Worker> living;
    private final Sharing sharing = new Sharing();
    private final NumberedPurges purges;
    private @Nullable Worker asker;
    private String question = "";

    /** @param living the processes that live, as they are at any time */
    Letters(Collection<Worker> living, Clock clock) {
        this.living = living;
        this.purges = new NumberedPurges(clock);
    }

    /** Purges of this server. */
    NumberedPurges purges() {
        return purges;
    }

    /** A worker was started in this way. */
    void started(Worker w, Launch by) {
        sharing.started(w, by);
    }

    /** A worker has connected. Called before it gets its sockets. */
    void linked(Worker w) {
        tellOthers();
        purges.linked(w);
        sharing.linked(w);
    }

    /** A worker has ended. */
    void exited(Worker w) {
        tellOthers();
        purges.exited(w);
        sharing.exited(w);
    }

    /** A worker's state may have changed. */
    void changed() {
        sharing.changed();
    }

    /** A worker said this; others may have to hear it. */
    void said(Worker by, String line) {
        switch (Orders.word(line)) {
            case Orders.OTHERS -> {
                asker = by;
                question = Orders.rest(line);
                tellOthers();
            }
            case Orders.TO -> pass(by, Orders.rest(line));
            default -> {
                // not for others
            }
        }
    }

    private void pass(Worker by, String rest) {
        String to = Orders.word(rest);
        if (to.equals(SUPERVISOR)) {
            read(by, Orders.rest(rest));
            return;
        }
        for (Worker w : living) {
            if (Long.toString(w.pid()).equals(to)) {
                w.order(Orders.FROM + " " + by.pid() + " " + Orders.rest(rest));
            }
        }
    }

    /** A letter to the supervisor. */
    private void read(Worker by, String letter) {
        String word = Orders.word(letter);
        if (word.equals(PurgeLetter.done(PurgeLetter.SERVER))) {
            purges.done(by, Orders.rest(letter));
        } else if (word.equals(ProcessCaches.SHARES)) {
            sharing.shares(by, Orders.rest(letter));
        }
    }

    private void tellOthers() {
        Worker to = asker;
        if (to == null) {
            return;
        }
        if (to.state() == Worker.State.GONE) {
            asker = null;
            return;
        }
        to.order(Orders.OTHERS + " " + question + " "
                + living.stream()
                        .filter(w -> w.linked() && w.pid() != to.pid())
                        .map(w -> Long.toString(w.pid()))
                        .collect(Collectors.joining(",")));
    }
}

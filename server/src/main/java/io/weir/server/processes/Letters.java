package io.weir.server.processes;

import java.util.Collection;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Passes letters on between workers, and tells the one that asked last which others there are: those that have, or are
 * about to get, the listening sockets, and so may serve. Letters to those that have ended are dropped. Confined to the
 * supervisor's loop; lives as long as the supervisor.
 */
final class Letters {
    private final Collection<Worker> living;
    private @Nullable Worker asker;
    private String question = "";

    /** @param living the processes that live, as they are at any time */
    Letters(Collection<Worker> living) {
        this.living = living;
    }

    /** A worker said this; others may have to hear it. */
    void said(Worker by, String line) {
        switch (Orders.word(line)) {
            case Orders.OTHERS -> {
                asker = by;
                question = Orders.rest(line);
                changed();
            }
            case Orders.TO -> pass(by, Orders.rest(line));
            default -> {
                // not for others
            }
        }
    }

    private void pass(Worker by, String rest) {
        String to = Orders.word(rest);
        for (Worker w : living) {
            if (Long.toString(w.pid()).equals(to)) {
                w.order(Orders.FROM + " " + by.pid() + " " + Orders.rest(rest));
            }
        }
    }

    /** A worker was linked, or has ended. Called before one that is linked gets its sockets. */
    void changed() {
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

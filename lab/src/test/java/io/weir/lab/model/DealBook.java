package io.weir.lab.model;

import java.util.ArrayList;
import java.util.List;

/** Transactions: all of it or nothing. Confined to the books. */
final class DealBook {
    private final Books books;
    /** Those whose outcome nobody was told. */
    private final List<Deal> unknown = new ArrayList<>();

    DealBook(Books books) {
        this.books = books;
    }

    void committing(Deal d) {
        d.outcome = Deal.Outcome.COMMITTING;
        unknown.add(d);
        d.letters.forEach(books::posted);
        for (Copy c : d.acknowledged) {
            // refused, it may be somewhere else before anybody is told so
            c.loose = true;
            c.flagDue = true;
            c.mayFlag = true;
        }
    }

    void committed(Deal d) {
        d.outcome = Deal.Outcome.DONE;
        unknown.remove(d);
        d.letters.forEach(books::safe);
        for (Copy c : d.acknowledged) {
            forget(c);
            if (!c.isGone()) {
                c.gone("its acknowledgement was committed", true);
            }
        }
    }

    private static void forget(Copy c) {
        PeerSession s = c.holder;
        if (s != null) {
            s.held.remove(c.tag);
        }
    }

    /** The broker rolled it back by itself. */
    void refused(PeerSession s, Deal d, String text) {
        unknown.remove(d);
        boolean disk = text.contains("not stored");
        if (disk && !books.faulty()) {
            books.wrong(s + " could not commit: " + text);
        }
        d.outcome = disk ? Deal.Outcome.IN_DOUBT : Deal.Outcome.UNDONE;
        for (Letter l : d.letters) {
            books.copies(l).forEach(c -> c.gone("its transaction was rolled back", !disk));
        }
        for (Copy c : d.acknowledged) {
            if (c.holder == s && c.loose) {
                s.held.remove(c.tag);
                books.deliveries().back(c, true, true);
            }
            c.safe &= !disk;
        }
    }

    /** Rolled back by the client, or with its session. */
    void undone(PeerSession s) {
        s.deal.outcome = Deal.Outcome.UNDONE;
        s.deal = new Deal();
    }

    /** The connection is lost: a commit that the broker has read may go on. */
    void lost(PeerSession s) {
        undone(s);
    }

    boolean isUnknown(Copy c) {
        return unknown.stream().anyMatch(d -> d.acknowledged.contains(c));
    }

    /** Everything stands still: those that nobody was told of have happened as a whole, or not at all. */
    void resolve(String when) {
        for (Deal d : List.copyOf(unknown)) {
            List<String> done = new ArrayList<>();
            List<String> undone = new ArrayList<>();
            for (Letter l : d.letters) {
                for (Copy c : books.copies(l)) {
                    if (c.expected && !c.place.closed && l.expiration == 0 && (when.isEmpty() || isKept(c))) {
                        (c.came ? done : undone).add(c + (c.came ? " came" : " did not come"));
                    }
                }
            }
            for (Copy c : d.acknowledged) {
                if ((when.isEmpty() || c.safe) && !c.place.closed && c.letter.expiration == 0) {
                    (c.isGone() ? done : undone).add(c + (c.isGone() ? " is acknowledged" : " is back"));
                }
            }
            if (!done.isEmpty() && !undone.isEmpty()) {
                books.wrong("half a transaction" + when + ": " + done + ", but " + undone);
            }
            d.outcome = Deal.Outcome.DONE;
        }
        unknown.clear();
    }

    private static boolean isKept(Copy c) {
        return c.letter.persistent && c.place.durable;
    }
}

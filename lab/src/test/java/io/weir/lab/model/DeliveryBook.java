package io.weir.lab.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Who has which letter, and what a delivery has to say. Confined to the books. */
final class DeliveryBook {
    private final Books books;

    DeliveryBook(Books books) {
        this.books = books;
    }

    /**
     * The broker sends a message to a client.
     *
     * @param move what it says of its last move
     */
    void delivered(Arrival a, boolean flagged, int count, String move) {
        PeerConsumer at = a.consumer;
        Place place = at.place;
        String what = a.body + " of " + place + " to " + at + (flagged ? " flagged" : "") + ", delivery " + count;
        books.world.log("  DELIVER " + what + ", tag " + a.tag);
        Letter l = books.letter(a.body);
        Copy c = l == null ? null : find(l, place);
        if (l == null || c == null) {
            books.wrong(what + ": it was never sent there" + (l == null ? " (nor anywhere)" : ""));
            return;
        }
        if (c.isGone() && c.why.equals(Books.DELETED) && place.changed) {
            // it had left for its consumer when its queue was deleted
            c.state = Copy.State.THERE;
        } else if (c.isGone() && !stayed(c, flagged)) {
            books.wrong(what + ": it comes again, and " + c.why);
            return;
        }
        c = cameRound(c, move, false);
        if (!c.isFree()) {
            books.wrong(what + ": " + c.holder + " has it, tag " + c.tag);
        }
        if (flagged != count > 1) {
            books.wrong(what + ": flag and count contradict each other");
        }
        if (c.loose) {
            c.returned(false, true);
        }
        count(c, what, flagged, count - 1);
        time(c, what);
        consumer(c, at, what);
        order(c, at, flagged, what);
        c.held(a.session, at, a.tag, a.pushed);
        a.copy = c;
        if (a.session.mode == PeerSession.NONE) {
            c.gone("it needed no acknowledgement", false);
            books.goneLately(c);
        } else {
            a.session.held.put(a.tag, c);
        }
    }

    /** What was moved says where it was sent to, and nothing else does. */
    void origin(Arrival a, @Nullable Object said) {
        Copy c = a.copy;
        if (c == null) {
            return;
        }
        String to = (c.letter.topic ? "topic/" : "queue/") + c.letter.to;
        boolean right = said instanceof String s && (c.letter.topic ? s.startsWith(to + "#") : s.equals(to));
        if (c.moved ? !right : said != null) {
            books.wrong(c + " says that it was sent to " + said);
        }
    }

    /** The copy at a place; a letter may have come there from another place by itself. */
    @Nullable
    Copy find(Letter l, Place place) {
        Copy here = place.copy(l.body());
        if (here != null && !here.isGone()) {
            return here;
        }
        for (Copy c : books.copies(l)) {
            if (!c.isGone() && c.isFree() && c.place != place && mayLeave(c, place)) {
                return moved(c, place);
            }
        }
        return here == null || here.isGone() ? movedTwice(l, place, here) : here;
    }

    /** A letter may have been given up, and moved by an administrator from where it went. */
    private @Nullable Copy movedTwice(Letter l, Place place, @Nullable Copy here) {
        Job job = books.job();
        if (job != null && job.to == place) {
            for (Copy c : books.copies(l)) {
                if (!c.isGone() && c.isFree() && mayLeave(c, job.from)) {
                    return moved(moved(c, job.from), place);
                }
            }
        }
        if (job != null && job.to != null && place.name.equals(job.to.errors)) {
            // moved by an administrator, and then expired
            for (Copy c : books.copies(l)) {
                if (!c.isGone() && c.isFree() && job.takes(c) && isExpired(c)) {
                    return moved(moved(c, job.to), place);
                }
            }
        }
        return here;
    }

    /** Whether the rules, or an administrator, let a letter go from one place to another. */
    private boolean mayLeave(Copy c, Place to) {
        Job job = books.job();
        if ((job != null && job.to == to && job.takes(c)) || (c.refused != null && c.refused.to == to)) {
            return true;
        }
        return to.name.equals(c.place.errors) && mayLeave(c);
    }

    /** Whether its time or its deliveries are over. */
    boolean mayLeave(Copy c) {
        int times = c.most + (c.loose ? 1 : 0);
        return isExpired(c) || (c.place.limit >= 0 && times > c.place.limit);
    }

    boolean isExpired(Copy c) {
        return c.expiration() != 0 && c.expiration() <= books.world.clock.latest();
    }

    /** A letter that was to be moved, was delivered where it went and could not be stored there, may stay: flagged. */
    boolean stayed(Copy c, boolean flagged) {
        if (!c.left || !books.faulty() || (!flagged && Feature.FLAGGED_AFTER_A_FAILED_MOVE.isOn())) {
            return false;
        }
        Job job = books.job();
        if (job != null && job.takes(c)) {
            job.done--;
        }
        c.state = Copy.State.THERE;
        c.left = false;
        c.mayFlag = true;
        return true;
    }

    /**
     * A letter may come back to a place: given up there and moved back by an administrator, or the other way round. What it says of
     * its last move shows that.
     *
     * @param reopened after a death, which may bring back what was there before
     * @return the copy that came back, or the one that was there all the time
     */
    Copy cameRound(Copy c, String move, boolean reopened) {
        boolean known = c.move != null || !c.moved;
        boolean same = move.equals(c.move == null ? "" : c.move);
        if (known && !same) {
            Job job = books.job();
            Place to = job == null ? null : job.to;
            if (job != null && to != null && c.place == to && mayLeave(c, job.from)) {
                c = moved(moved(c, job.from), to);
            } else if (job != null && to != null && job.takes(c) && isExpired(c) && job.from.name.equals(to.errors)) {
                c = moved(moved(c, to), job.from);
            } else if (reopened) {
                c.moved = !move.isEmpty();
            } else {
                books.wrong(c + " says that it was moved from " + move + ", and nobody did");
            }
        }
        c.move = move;
        return c;
    }

    Copy moved(Copy from, Place to) {
        Job job = books.job();
        boolean ordered = job != null && job.to == to && job.takes(from);
        boolean wasOrdered = from.refused != null && from.refused.to == to;
        boolean alone = mayLeave(from) && to.name.equals(from.place.errors);
        if (job != null && ordered) {
            job.done++;
            job.doubtful += alone ? 1 : 0;
        }
        // where it went by itself it has no expiration any more
        boolean keepsTime = !alone;
        boolean mayKeepTime = ordered || wasOrdered;
        boolean loose = from.loose;
        from.gone("it was moved to " + to, false);
        from.came = true;
        from.left = true;
        books.goneLately(from);
        books.world.log("  (" + from + " moved to " + to + ")");
        Copy c = to.put(from.letter, true);
        c.letter.disordered = true;
        c.state = Copy.State.THERE;
        c.came = true;
        c.cameFrom(from, keepsTime, mayKeepTime);
        c.mayFlag |= loose;
        return c;
    }

    private void count(Copy c, String what, boolean flagged, int before) {
        if (c.flagDue && !flagged && !c.unmarked) {
            books.wrong(what + ": it may have been delivered before, and is not flagged");
        }
        if (flagged && c.greatest() == 0) {
            books.wrong(what + ": it is flagged, and nobody had it before");
        }
        if (before < c.fewest() || before > c.greatest()) {
            books.wrong(what + ": it was delivered " + c.fewest() + " to " + c.greatest() + " times before");
        }
    }

    private void time(Copy c, String what) {
        if (c.deliveryTime() > books.world.clock.latest()) {
            books.wrong(what + ": before its time " + c.letter.deliveryTime);
        }
        if (c.overdue && c.expiration() <= books.world.clock.millis()) {
            books.wrong(what + ": it expired at " + c.letter.expiration);
        }
    }

    private void consumer(Copy c, PeerConsumer at, String what) {
        if (!at.wants(c.letter)) {
            books.wrong(what + ": its selector is " + at.choice);
        }
        if (c.place.still) {
            books.wrong(what + ": consumption is paused");
        }
        String group = c.letter.group;
        if (group == null || at.closing || c.place.closed) {
            return;
        }
        PeerConsumer other =
                c.place.owners.computeIfAbsent(group, _ -> new GroupOwners()).given(c.letter, at);
        if (other != null) {
            books.wrong(what + ": its group " + group + " belongs to " + other);
        }
    }

    /** What one producer sent comes to one consumer in order, as far as it comes for the first time. */
    private void order(Copy c, PeerConsumer at, boolean flagged, String what) {
        Letter l = c.letter;
        if (c.emitted || l.deliveryTime != 0 || l.disordered || at.closing || c.place.crowded) {
            return;
        }
        String line = l.producer + "/" + l.priority + "/" + l.persistent;
        Integer before = at.last.put(line, l.number);
        if (before != null && before > l.number && !flagged) {
            books.wrong(what + ": m" + before + " of the same producer came before it");
        }
    }

    /** What a session gives back may already be somewhere else before it is told so. */
    void loosen(PeerSession s, @Nullable PeerConsumer of, long consumedTo) {
        for (Copy c : s.held.values()) {
            if (c.holder == s && (of == null || (c.consumer == of && c.tag > consumedTo))) {
                c.loose = true;
            }
        }
    }

    /** What a consumer that closes had of its session's window: others get that at once. */
    int uncredited(PeerSession s, PeerConsumer of, long consumedTo) {
        long n = s.held.values().stream()
                .filter(c -> c.holder == s && c.consumer == of && c.tag > consumedTo && c.pushed && !c.seen)
                .count();
        return (int) Math.min(n, s.outstanding);
    }

    /**
     * A session gave back what it had: all of it, or what one consumer did not show.
     *
     * @param consumedTo what the application may have seen
     */
    void returned(PeerSession s, @Nullable PeerConsumer of, long consumedTo) {
        for (Copy c : List.copyOf(s.held.values())) {
            if (c.holder != s || s.held.get(c.tag) != c) {
                continue;
            }
            if (of == null || (c.consumer == of && c.tag > consumedTo)) {
                boolean saw = c.tag <= consumedTo;
                s.held.remove(c.tag);
                back(c, saw, saw);
            }
        }
        if (of == null) {
            s.held.clear();
        }
    }

    /** A message came back to its place. */
    void back(Copy c, boolean counts, boolean mayCount) {
        c.returned(counts, mayCount);
        back(c);
    }

    private void back(Copy c) {
        if (c.refusedSend) {
            c.state = Copy.State.DOUBTFUL;
        }
        if (c.place.closed) {
            // a queue that is configured is there again after a death, and with it what is on the disk still
            c.gone("its place is gone", c.place.topic != null);
            books.goneLately(c);
        }
    }

    /** Its holder closed, and the connection broke before that was answered: the close says what was seen, if it came first. */
    private void closed(Copy c, PeerSession s) {
        boolean saw = c.tag <= s.closedTo;
        boolean known = c.told || !s.peer.tells();
        c.returned(saw && known, saw || known);
        c.flagDue |= saw;
        c.mayFlag = true;
        back(c);
    }

    /**
     * A connection is lost. What the broker was told of counts; the rest may have been seen, which is said of it and counts
     * nothing. Of a client that tells nothing all of it counts.
     */
    void lost(PeerSession s) {
        for (Copy c : List.copyOf(s.held.values())) {
            if (c.holder == s && !c.isGone()) {
                if (books.deals().isUnknown(c)) {
                    c.loose = true;
                    c.flagDue = true;
                } else if (c.loose) {
                    closed(c, s);
                } else if (c.told || !s.peer.tells()) {
                    back(c, true, true);
                } else {
                    c.doubtful();
                    back(c);
                }
            }
        }
        s.held.clear();
    }
}

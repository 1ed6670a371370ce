package io.weir.lab.model;

import org.jspecify.annotations.Nullable;

/** A letter at one place: what must be, may be and must not be there. Confined to the books. */
final class Copy {
    /** What is known of it. */
    enum State {
        /** It may be there. */
        DOUBTFUL,
        /** It is there, or at a consumer. */
        THERE,
        /** It is not there and does not come again, but for {@link Copy#mayReturn}. */
        GONE
    }

    final Letter letter;
    final Place place;
    State state = State.DOUBTFUL;
    /** Becomes {@link State#THERE} when the send is answered. */
    boolean expected;
    /** It must survive a sudden death. */
    boolean safe;
    /** The store refused it: it is never safe, until a sudden death shows what became of it. */
    boolean unstored;
    /** Its sender was told in this life of the broker that it is nowhere: who has it is the last who does. */
    boolean refusedSend;
    /** Gone, but its removal may not be on the disk: a sudden death may bring it back, flagged. */
    boolean mayReturn;
    /** It was in a message of the broker to a client. */
    boolean emitted;
    /** It was certainly there once. */
    boolean came;
    /** The next delivery says redelivered. */
    boolean flagDue;
    /** The next delivery may say so. */
    boolean mayFlag;
    /** A fault of the disk may have kept the mark of its delivery from the journal. */
    boolean unmarked;
    /** Deliveries that certainly count toward the limit. */
    int least;
    /** Deliveries that may count. */
    int most;
    /** When its time had come, seen for the first time, by the monotonic clock; -1 before. */
    long dueSince = -1;
    /** It waited and could have been delivered, when everything stood still last. */
    boolean available;
    /** Times that it was sent to a client. */
    int deliveries;
    /** It left for another place. */
    boolean left;
    /** It was waiting although its time was over, when everything stood still. */
    boolean overdue;

    /** Bulk work that a failed write refused: until the journal has written again, a death may show that the disk has it. */
    @Nullable
    Job refused;

    @Nullable
    PeerSession holder;

    @Nullable
    PeerConsumer consumer;

    long tag;
    /** Its holder gives it back, or may have. */
    boolean loose;
    /** An application saw it from its present holder. */
    boolean seen;
    /** The broker was told that its present holder passed it on, or is about to. */
    boolean told;
    /** It came without being asked for. */
    boolean pushed;

    /** Why it is gone. */
    String why = "";

    /** It came here from another place, and has no delivery time. */
    boolean moved;
    /** What it says of that; null before it was looked at. */
    @Nullable
    String move;

    /** It certainly expires when its letter does, unless that is never. */
    boolean expires = true;
    /** It may. */
    boolean mayExpire = true;

    Copy(Letter letter, Place place, boolean expected) {
        this.letter = letter;
        this.place = place;
        this.expected = expected;
    }

    /** When it may expire: milliseconds since 1970; 0 for never. */
    long expiration() {
        return mayExpire ? letter.expiration : 0;
    }

    /** Its time is certainly over. */
    boolean isOverdue(long millis) {
        return expires && letter.expiration != 0 && letter.expiration <= millis;
    }

    /** It came from another place: that it may have been delivered there is said here, and does not count. */
    void cameFrom(Copy there, boolean keepsTime, boolean mayKeepTime) {
        moved = true;
        expires = keepsTime && there.expires;
        mayExpire = mayKeepTime && there.mayExpire;
        flagDue = there.fewest() > 0;
        mayFlag = there.greatest() > 0;
        unmarked = there.unmarked;
    }

    /** Milliseconds since 1970; 0 for at once. */
    long deliveryTime() {
        return moved ? 0 : letter.deliveryTime;
    }

    boolean isGone() {
        return state == State.GONE;
    }

    /** Nobody has it, or nobody for certain. */
    boolean isFree() {
        return holder == null || loose;
    }

    /** It went to a client. */
    void held(PeerSession by, PeerConsumer at, long number, boolean unasked) {
        dueSince = -1;
        holder = by;
        consumer = at;
        tag = number;
        loose = false;
        seen = false;
        told = false;
        pushed = unasked;
        emitted = true;
        deliveries++;
        came = true;
        if (state == State.DOUBTFUL) {
            state = State.THERE;
        }
    }

    /**
     * Its holder gave it back.
     *
     * @param counts whether the broker has to count the delivery
     * @param mayCount whether it may
     */
    void returned(boolean counts, boolean mayCount) {
        holder = null;
        consumer = null;
        loose = false;
        if (counts) {
            least++;
            flagDue = true;
        }
        if (mayCount) {
            most++;
            mayFlag = true;
        }
    }

    /** Its place may have ended, and what is there now be another one. */
    void doubt() {
        if (!isGone()) {
            state = State.DOUBTFUL;
            expected = false;
        }
    }

    /** Nobody knows whether its holder's application saw it: it is flagged, and not counted. */
    void doubtful() {
        returned(false, false);
        flagDue = true;
        mayFlag = true;
    }

    /** What the next delivery says at least of deliveries before it. */
    int fewest() {
        return unmarked ? 0 : Math.max(least, flagDue ? 1 : 0);
    }

    /** What the next delivery says at most of deliveries before it. */
    int greatest() {
        return Math.max(most, mayFlag ? 1 : 0);
    }

    /** It must not come again. */
    void gone(String reason, boolean safely) {
        state = State.GONE;
        why = reason;
        mayReturn = !safely && letter.persistent && place.durable;
        holder = null;
        consumer = null;
        loose = false;
    }

    @Override
    public String toString() {
        return letter + "@" + place;
    }
}

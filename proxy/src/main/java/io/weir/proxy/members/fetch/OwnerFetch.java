package io.weir.proxy.members.fetch;

import io.netty.buffer.ByteBuf;
import io.weir.http.FieldName;
import io.weir.http.Fields;
import io.weir.http.ResponseHead;
import io.weir.http.caching.Validators;
import io.weir.proxy.cache.store.FetchedFrom;
import io.weir.proxy.members.CacheOwners;
import io.weir.proxy.members.MemberFields;
import io.weir.proxy.members.Owner;
import io.weir.proxy.members.OwnerMark;
import io.weir.proxy.upstream.Fetch;
import io.weir.proxy.upstream.FetchRequest;
import io.weir.proxy.upstream.OriginEvents;
import io.weir.proxy.upstream.OriginFault;
import io.weir.proxy.upstream.Upstream;
import org.jspecify.annotations.Nullable;

/**
 * Asks the owner of a key, the next one if it does not answer, and last the origin. If an owner fails within its answer,
 * the rest comes from the origin, so that no client sees that a member ended. Confined to the muxer that fetches; lives
 * as long as the answer is awaited.
 */
public final class OwnerFetch implements OriginEvents {
    /** Receives an answer that has begun. */
    public interface Receiver extends OriginEvents {
        /** This fetch is in progress now. */
        void fetches(Fetch now);

        /**
         * The request to the origin for the rest of an answer; null if there cannot be one.
         *
         * @param start of the rest
         * @param tag strong entity tag of the answer
         */
        @Nullable
        FetchRequest rest(long start, String tag);
    }

    /** Receives the answer. */
    public interface Feed extends Receiver {
        /**
         * The owner's answer has begun: its cache's or the origin's.
         *
         * @param by to be told if another receiver gets the rest
         * @param from where it was fetched; null: from a configured origin
         * @param withheld fields for the client that asks alone, no longer in the head; null: none
         */
        void ownerAnswered(OwnerFetch by, ResponseHead head, @Nullable FetchedFrom from, @Nullable Fields withheld);

        /** No owner answers: the origin is to be asked. */
        void fromOrigin();
    }

    private enum Phase {
        ASKING,
        ANSWERING,
        /** The rest is requested. */
        CONTINUING,
        /** The rest arrives. */
        REST
    }

    private final Upstream upstream;
    private final OwnerQuestion question;
    private final CacheOwners owners;
    private final @Nullable Validators stored;
    private final boolean conditions;
    private final Feed feed;
    private Receiver receiver;
    private Owner owner;
    private Phase phase = Phase.ASKING;
    private @Nullable Fetch fetch;
    private @Nullable String tag;
    private long length = -1;
    private long received;
    private long skipped;
    private OriginFault fault = OriginFault.CLOSED_EARLY;
    private String detail = "";

    private OwnerFetch(
            Upstream upstream,
            OwnerQuestion question,
            Owner first,
            @Nullable Validators stored,
            boolean conditions,
            Feed feed) {
        this.upstream = upstream;
        this.question = question;
        this.owners = question.owners();
        this.owner = first;
        this.stored = stored;
        this.conditions = conditions;
        this.feed = feed;
        this.receiver = feed;
    }

    /**
     * Asks the owner of the question's key; events may come before this returns.
     *
     * @param stored what the asking member has, to validate
     * @param conditions whether the client's conditions are sent
     * @return false if this member owns the key
     */
    public static boolean start(
            Upstream upstream, OwnerQuestion question, @Nullable Validators stored, boolean conditions, Feed feed) {
        Owner first = question.first(upstream.loop().clock().nanos());
        if (first == null) {
            return false;
        }
        OwnerFetch asking = new OwnerFetch(upstream, question, first, stored, conditions, feed);
        // what waits for a member must not hold the slot that a member's request waits for
        feed.queued(true);
        asking.send(question.to(first, stored, conditions));
        return true;
    }

    /** Another receiver gets what follows the head. */
    public void receiver(Receiver next) {
        receiver = next;
    }

    /** It no longer waits for another member. */
    private void asked() {
        feed.queued(false);
    }

    private void send(FetchRequest what) {
        Fetch f = new Fetch(upstream, what, this);
        fetch = f;
        receiver.fetches(f);
        f.start();
    }

    private void stop() {
        Fetch f = fetch;
        if (f != null) {
            f.cancel();
        }
    }

    private void failed() {
        owner.failed(upstream.loop().clock().nanos());
        owners.failed();
    }

    @Override
    public void head(ResponseHead head) {
        if (phase == Phase.CONTINUING) {
            continued(head);
            return;
        }
        // the last one: an origin's answer may contain a field of this name
        String mark = MemberFields.last(head.fields(), MemberFields.FROM);
        FetchedFrom from = null;
        boolean usable = mark != null;
        if (mark != null) {
            try {
                from = OwnerMark.read(mark);
            } catch (IllegalArgumentException _) {
                usable = false;
            }
        }
        if (!usable) {
            // an error of its own, such as that it has not applied a purge
            question.refused();
            stop();
            asked();
            feed.fromOrigin();
            feed.flush();
            return;
        }
        Fields withheld = MemberFields.takeWithheld(head.fields());
        MemberFields.removeFrom(head.fields());
        asked();
        owner.answered();
        owners.answered();
        question.validated();
        phase = Phase.ANSWERING;
        String entity = head.fields().combined(FieldName.ETAG);
        tag = head.status() == 200 && entity != null && entity.startsWith("\"") ? entity : null;
        length = head.contentLength();
        feed.ownerAnswered(this, head, from, withheld);
    }

    /** The head of the origin's answer to the request for the rest. */
    private void continued(ResponseHead head) {
        boolean same = String.valueOf(tag).equals(head.fields().combined(FieldName.ETAG));
        String range = head.fields().combined(FieldName.CONTENT_RANGE);
        boolean rest = head.status() == 206 && range != null && range.startsWith("bytes " + received + "-");
        if (!same || !(rest || head.status() == 200)) {
            stop();
            receiver.broken(fault, detail);
            receiver.flush();
            return;
        }
        skipped = rest ? received : 0;
        phase = Phase.REST;
    }

    @Override
    public void data(ByteBuf data) {
        if (phase == Phase.REST && skipped < received) {
            int known = (int) Math.min(data.readableBytes(), received - skipped);
            skipped += known;
            data.skipBytes(known);
            if (!data.isReadable()) {
                data.release();
                return;
            }
        }
        if (phase == Phase.REST) {
            skipped += data.readableBytes();
        }
        received += data.readableBytes();
        receiver.data(data);
    }

    @Override
    public void end(Fields trailers) {
        if (phase == Phase.REST && (skipped < received || (length >= 0 && received != length))) {
            receiver.broken(fault, detail);
            return;
        }
        receiver.end(trailers);
    }

    @Override
    public void broken(OriginFault why, String text) {
        switch (phase) {
            case ASKING -> {
                boolean slow = why == OriginFault.RESPONSE_TIMEOUT;
                // an own bound says nothing about the owner, nor does a slow origin behind it, which the next would
                // wait for
                if (OriginFault.byOrigin(why) && !slow) {
                    failed();
                } else {
                    owners.failed();
                }
                Owner next = slow
                        ? null
                        : question.after(owner, upstream.loop().clock().nanos());
                if (next == null) {
                    asked();
                    feed.fromOrigin();
                } else {
                    owner = next;
                    send(question.to(next, stored, conditions));
                }
            }
            case ANSWERING -> {
                failed();
                fault = why;
                detail = text;
                String known = tag;
                FetchRequest rest = known == null ? null : receiver.rest(received, known);
                if (rest == null) {
                    receiver.broken(why, text);
                } else {
                    owners.continued();
                    phase = Phase.CONTINUING;
                    send(rest);
                }
            }
            case CONTINUING, REST -> receiver.broken(fault, detail);
        }
    }

    @Override
    public void informational(ResponseHead head) {
        if (phase == Phase.ASKING) {
            feed.informational(head);
        }
    }

    @Override
    public void lookingUp(boolean begins) {
        receiver.lookingUp(begins);
    }

    @Override
    public void queued(boolean on) {
        if (phase != Phase.ASKING) {
            receiver.queued(on);
        }
    }

    @Override
    public void writable() {
        // a request for the store has no body
    }

    @Override
    public void flush() {
        receiver.flush();
    }
}

package io.weir.proxy.members.fetch;

import io.netty.buffer.ByteBuf;
import io.weir.http.Fields;
import io.weir.http.ResponseHead;
import io.weir.http.caching.Validators;
import io.weir.proxy.cache.store.FetchedFrom;
import io.weir.proxy.fields.Trailers;
import io.weir.proxy.members.CacheOwners;
import io.weir.proxy.members.MemberFields;
import io.weir.proxy.members.Owner;
import io.weir.proxy.members.OwnerMark;
import io.weir.proxy.upstream.AnswerRest;
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
         * @param of what is missing
         */
        @Nullable
        FetchRequest rest(AnswerRest of);
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
    private AnswerRest.@Nullable Of answer;
    private long received;
    private @Nullable AnswerRest rest;
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
        answer = AnswerRest.Of.answer(head.status(), head.fields(), head.contentLength());
        feed.ownerAnswered(this, head, from, withheld);
    }

    /** The head of the origin's answer to the request for the rest. */
    private void continued(ResponseHead head) {
        AnswerRest missing = rest;
        if (missing == null || !missing.begins(head)) {
            stop();
            cut();
            receiver.flush();
            return;
        }
        phase = Phase.REST;
    }

    private void cut() {
        owners.cut();
        receiver.broken(fault, detail);
    }

    @Override
    public void data(ByteBuf data) {
        AnswerRest missing = rest;
        ByteBuf wanted = missing == null ? data : missing.wanted(data);
        if (wanted != null) {
            received += wanted.readableBytes();
            receiver.data(wanted);
        }
    }

    @Override
    public void end(Fields trailers) {
        AnswerRest missing = rest;
        if (missing != null && !missing.complete()) {
            cut();
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
                // it may have cut this answer only; whether it answers at all the next question tells
                fault = why;
                detail = text;
                AnswerRest.Of known = answer;
                AnswerRest missing = known == null ? null : new AnswerRest(known, known.first() + received, -1);
                FetchRequest request = missing == null ? null : receiver.rest(missing);
                if (request == null) {
                    cut();
                } else {
                    rest = missing;
                    owners.continued();
                    phase = Phase.CONTINUING;
                    send(request);
                }
            }
            case CONTINUING -> cut();
            case REST -> {
                AnswerRest missing = rest;
                if (missing != null && missing.arrived()) {
                    // only how the origin ended it is wrong
                    receiver.end(Trailers.NONE);
                } else {
                    cut();
                }
            }
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

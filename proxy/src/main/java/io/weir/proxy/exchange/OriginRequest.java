package io.weir.proxy.exchange;

import io.weir.http.Framing;
import io.weir.http.Method;
import io.weir.http.RequestHead;
import io.weir.http.caching.Validators;
import io.weir.proxy.context.LoopContext;
import io.weir.proxy.context.OriginTimes;
import io.weir.proxy.function.HeaderEdits;
import io.weir.proxy.members.fetch.OwnerQuestion;
import io.weir.proxy.pool.Attempts;
import io.weir.proxy.pool.OriginKey;
import io.weir.proxy.pool.RequestKey;
import io.weir.proxy.pool.ServerPool;
import io.weir.proxy.upstream.AnswerRest;
import io.weir.proxy.upstream.FetchRequest;
import io.weir.proxy.upstream.OriginConnector;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * A request to the origin side, as the program decided it. Immutable, except for the head that it refers to.
 *
 * @param head must stay valid as long as fetches made from it: an owned copy if they may outlive the client
 * @param only the single origin; null if a pool is used
 * @param pool the pool to choose a server from; null for a single origin
 * @param key the input of the pool's selection
 * @param target path and query as sent to the origin
 * @param host the Host to send, null for the origin's own
 * @param answerEdits edits to the answer
 * @param counted the client address charged for the fetch's connection; null if not charged
 * @param allowed the permitted addresses of a guarded origin
 * @param times the time-outs
 * @param question the same as the owner of the key is asked; null: no owner is
 */
record OriginRequest(
        LoopContext loop,
        RequestHead head,
        @Nullable OriginKey only,
        @Nullable ServerPool pool,
        RequestKey key,
        String target,
        @Nullable String host,
        UpstreamHead.Client client,
        @Nullable HeaderEdits edits,
        AnswerEdits answerEdits,
        @Nullable InetAddress counted,
        OriginConnector.AddressRule allowed,
        OriginTimes times,
        @Nullable OwnerQuestion question) {

    /** The request as the client sent it. */
    FetchRequest asReceived(boolean upgrade) {
        UpstreamHead writer = writer(head.method());
        if (upgrade) {
            writer.withUpgrade();
        }
        boolean body = head.framing() != Framing.NONE && head.contentLength() != 0;
        boolean chunked = head.framing() == Framing.CHUNKED;
        return new FetchRequest(
                only, attempts(), head.methodId(), writer, body, chunked, upgrade, counted, allowed, times);
    }

    /**
     * A GET for the store, with the conditions of a stored object if there is one.
     *
     * @param conditions whether the client's If-None-Match and If-Modified-Since are forwarded
     */
    FetchRequest forStore(@Nullable Validators stored, boolean conditions) {
        UpstreamHead writer = writer("GET").forStore(stored, conditions);
        return new FetchRequest(only, attempts(), Method.GET, writer, false, false, false, counted, allowed, times);
    }

    /** A GET for the rest of an answer, if it still has this entity tag. */
    FetchRequest rest(AnswerRest of) {
        UpstreamHead writer = writer("GET").rest(of);
        return new FetchRequest(only, attempts(), Method.GET, writer, false, false, false, counted, allowed, times);
    }

    private @Nullable Attempts attempts() {
        ServerPool servers = pool;
        return servers == null ? null : servers.attempts(loop.muxer().index(), key);
    }

    private UpstreamHead writer(String method) {
        return new UpstreamHead(head, method, target, host, client, loop.proxy(), edits);
    }
}

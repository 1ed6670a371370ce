package io.weir.proxy.upstream;

import io.netty.buffer.ByteBuf;
import io.weir.http.Method;
import io.weir.proxy.context.OriginTimes;
import io.weir.proxy.pool.Attempts;
import io.weir.proxy.pool.OriginKey;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * A request to an origin. Immutable, except for its attempts.
 *
 * @param only the single origin; null if a pool is used
 * @param attempts the servers of a pool; null if there is a single origin
 * @param method as sent
 * @param body whether a request body follows
 * @param chunked the body is sent in chunks
 * @param upgrade the client requests an upgrade, so the answer may be 101
 * @param client the address whose share it uses; null if it is not counted
 * @param allowed the permitted addresses of a guarded origin
 */
public record FetchRequest(
        @Nullable OriginKey only,
        @Nullable Attempts attempts,
        Method method,
        HeadWriter head,
        boolean body,
        boolean chunked,
        boolean upgrade,
        @Nullable InetAddress client,
        OriginConnector.AddressRule allowed,
        OriginTimes times) {
    /** Whether the connection becomes a tunnel: its other end must not take bytes for part of an earlier exchange. */
    boolean tunnels() {
        return method == Method.CONNECT;
    }

    /** What is wrong with a status that this request did not permit; null: nothing. */
    @Nullable
    String unrequested(int status) {
        if (status == 101 && !upgrade) {
            return "the origin changed the protocol without an upgrade request";
        }
        return status == 304 && !head.conditional() ? "the origin answered 304 to a request without conditions" : null;
    }

    /** Encodes the request's head for an origin. */
    public interface HeadWriter {
        /** The head; {@code attempts} is null for a single origin. */
        ByteBuf head(OriginKey origin, @Nullable Attempts attempts);

        /** Whether the head that was written last is conditional, so that 304 may be answered. */
        boolean conditional();
    }
}

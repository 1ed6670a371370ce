package io.weir.proxy.upstream;

import io.netty.buffer.ByteBuf;
import io.weir.http.Method;
import io.weir.proxy.context.OriginTimes;
import io.weir.proxy.pool.Attempts;
import io.weir.proxy.pool.OriginKey;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * What is to be fetched. Immutable but for what is tried.
 *
 * @param only the single origin; null if a pool is used
 * @param attempts the servers of a pool; null where there is one origin
 * @param method as sent
 * @param body whether a request body follows
 * @param chunked the body is sent in chunks
 * @param upgrade the client requests an upgrade, so the answer may be 101
 * @param client the address whose share of connections it takes; null for what is not counted
 * @param allowed the addresses that a guarded origin may have
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
    /** Encodes the request's head for an origin. */
    public interface HeadWriter {
        /** The head; what is tried of a pool is null for an origin of its own. */
        ByteBuf head(OriginKey origin, @Nullable Attempts attempts);

        /** Whether the head that was written last asks whether something was modified, so that 304 may be answered. */
        boolean conditional();
    }
}

package io.weir.wire;

import io.weir.base.Chance;
import io.weir.base.Clock;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Connects again and again, by a {@link BackOff}, until it succeeds, the time is over or the server refuses for good (a
 * wrong password). Lives for one loss of a connection. Shared by any threads.
 */
public final class Reconnector {
    /** Where, who and how to connect. */
    public record Target(List<WireUrl.Address> addresses, Credentials credentials, ClientOptions options) {
        public Target {
            addresses = List.copyOf(addresses);
        }
    }

    public Reconnector(WireClient client, Target target, BackOff backOff, Clock clock, Chance chance) {
        throw new UnsupportedOperationException();
    }

    /** Begins; completes as {@link WireClient#connect} does, with the last attempt's failure when it gives up. */
    public CompletableFuture<WireConnection> connect(Function<WireConnection, FrameHandler> service) {
        throw new UnsupportedOperationException();
    }

    /** Gives up. */
    public void stop(@Nullable Throwable cause) {
        throw new UnsupportedOperationException();
    }
}

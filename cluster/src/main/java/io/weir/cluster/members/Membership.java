package io.weir.cluster.members;

import io.weir.cluster.log.ConsensusLog;
import io.weir.wire.FrameHandler;
import io.weir.wire.WireConnection;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** This member among the others, from the start of its server to the end. */
public final class Membership implements AutoCloseable {
    private Membership() {}

    /** Begins to look for the others; the weir listener is up, or will be soon. */
    public static Membership start(MembershipParts parts) throws IOException {
        throw new UnsupportedOperationException();
    }

    /** The log: there from the beginning, refusing commands (not committed) until this member is in a cluster. */
    public ConsensusLog log() {
        throw new UnsupportedOperationException();
    }

    /** Takes the frames 0x70 to 0x7f of a connection whose user is in the group {@code members}, on its loop. */
    public FrameHandler frames(WireConnection connection) {
        throw new UnsupportedOperationException();
    }

    /** Completes when this member keeps the cluster's log. */
    public CompletableFuture<Void> formed() {
        throw new UnsupportedOperationException();
    }

    public MembersView view() {
        throw new UnsupportedOperationException();
    }

    /** Address (host:port) of a member's weir listener, as heard; null where it was not. */
    public @Nullable String addressOf(String member) {
        throw new UnsupportedOperationException();
    }

    /**
     * Takes in a member that runs at this address and is in no cluster; from any member.
     *
     * @return what was done, for people; exceptionally with a {@link MembershipFault} that says why not
     */
    public CompletableFuture<String> add(String address) {
        throw new UnsupportedOperationException();
    }

    /** Takes a member's vote away. */
    public CompletableFuture<String> remove(String member) {
        throw new UnsupportedOperationException();
    }

    /** Takes a member's vote away and gives it to the one that runs at this address, in one step. */
    public CompletableFuture<String> replace(String member, String address) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
        throw new UnsupportedOperationException();
    }
}

package io.weir.server.cluster;

import io.weir.cluster.log.ConsensusLog;
import io.weir.cluster.members.MembersView;
import io.weir.cluster.members.Membership;
import io.weir.cluster.members.MembershipParts;
import io.weir.wire.FrameHandler;
import io.weir.wire.WireConnection;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;

/** A log that the members agree on by consensus. Immutable. */
final class ConsensusBasis implements Basis {
    /** Ratis's own Netty 4.1 allocates memory in a way of which the JDK warns on the console. */
    private static final String NO_UNSAFE = "org.apache.ratis.thirdparty.io.netty.noUnsafe";

    private final Membership membership;

    private ConsensusBasis(Membership membership) {
        this.membership = membership;
    }

    static Basis open(MembershipParts parts) throws IOException {
        if (System.getProperty(NO_UNSAFE) == null) {
            System.setProperty(NO_UNSAFE, "true");
        }
        return new ConsensusBasis(Membership.start(parts));
    }

    @Override
    public ConsensusLog log() {
        return membership.log();
    }

    @Override
    public String waiting() {
        MembersView view = membership.view();
        return view.phase() == MembersView.Phase.MEMBER ? "" : view.waiting();
    }

    @Override
    public CompletableFuture<String> membership(String what, String member, String address) {
        return switch (what) {
            case "add" -> membership.add(address);
            case "remove" -> membership.remove(member);
            default -> membership.replace(member, address);
        };
    }

    @Override
    public FrameHandler frames(WireConnection connection) {
        return membership.frames(connection);
    }

    @Override
    public void close() {
        membership.close();
    }
}

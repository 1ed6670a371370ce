package io.weir.cluster.ratis;

import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.ReadIndexRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.thirdparty.io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.ServerCallHandler;
import org.apache.ratis.thirdparty.io.grpc.ServerInterceptor;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * Refuses what another voter of the log was asked: a member that comes back on an empty disk listens where the former one
 * did, and must neither vote nor acknowledge in that one's name. The library does not look. Shared; stateless.
 */
final class AddressCheck implements ServerInterceptor {
    private final String self;

    AddressCheck(String self) {
        this.self = self;
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        return new SimpleForwardingServerCallListener<>(next.startCall(call, headers)) {
            private boolean refused;

            @Override
            public void onMessage(Q message) {
                if (refused) {
                    return;
                }
                RaftRpcRequestProto head = head(message);
                if (head != null && !head.getReplyId().toStringUtf8().equals(self)) {
                    refused = true;
                    call.close(
                            Status.FAILED_PRECONDITION.withDescription("here is " + self + ", not "
                                    + head.getReplyId().toStringUtf8()),
                            new Metadata());
                    return;
                }
                super.onMessage(message);
            }

            @Override
            public void onHalfClose() {
                if (!refused) {
                    super.onHalfClose();
                }
            }
        };
    }

    /** Who asks whom, of a request between voters; null for what clients ask. */
    private static @Nullable RaftRpcRequestProto head(@Nullable Object message) {
        return switch (message) {
            case AppendEntriesRequestProto m -> m.getServerRequest();
            case RequestVoteRequestProto m -> m.getServerRequest();
            case InstallSnapshotRequestProto m -> m.getServerRequest();
            case StartLeaderElectionRequestProto m -> m.getServerRequest();
            case ReadIndexRequestProto m -> m.getServerRequest();
            case null, default -> null;
        };
    }
}

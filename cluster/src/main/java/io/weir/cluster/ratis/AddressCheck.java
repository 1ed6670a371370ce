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
 * Refuses requests addressed to another voter of the log: a member that returns with an empty disk listens at the same
 * address as before, and must not vote or acknowledge as the former voter. Ratis does not check this. Shared;
 * stateless.
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
                            Status.FAILED_PRECONDITION.withDescription("this is " + self + ", not "
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

    /** Sender and addressee of a request between voters; null for requests of clients. */
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

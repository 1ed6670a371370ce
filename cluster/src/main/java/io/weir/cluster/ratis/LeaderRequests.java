package io.weir.cluster.ratis;

import io.weir.cluster.log.LogFault;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.client.RaftClientRpc;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.jspecify.annotations.Nullable;

/**
 * Sends commands to the leader, and again to the next leader, under the same call id: the log records applied call ids
 * and does not apply one twice. Attempts are made on one thread, in the order of submission. Shared by any threads;
 * lives as long as its log.
 */
final class LeaderRequests {
    /** Routing of requests. */
    interface Route {
        /** The leader, if known. */
        @Nullable
        RaftPeerId leader();

        /** Completes when this member has applied the entry. */
        CompletableFuture<Void> reached(long index);
    }

    /** Dependencies of requests. */
    record Parts(
            RaftServer server,
            RaftClientRpc remote,
            RaftGroupId group,
            ClientId client,
            Route route,
            ScheduledExecutorService timer) {}

    private static final long RETRY_MILLIS = 30;

    private final Parts parts;
    private final RatisTimes times;
    private final AtomicLong calls = new AtomicLong();
    private final Set<Request> open = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    LeaderRequests(Parts parts, RatisTimes times) {
        this.parts = parts;
        this.times = times;
    }

    /** Whether the limit of waiting commands is reached. */
    boolean busy() {
        return open.size() >= times.outstanding();
    }

    long nextCall() {
        return calls.incrementAndGet();
    }

    /** Submits a command; completes with its answer once it is applied on this member. */
    CompletableFuture<byte[]> submit(byte[] command) {
        return begin(Message.valueOf(UnsafeByteOperations.unsafeWrap(command)), false);
    }

    /**
     * Completes when this member has applied everything committed before the call: it submits an entry that changes
     * nothing. Reads of Ratis do not do: its leader (3.3.0, ReadIndexHeartbeats) confirms them without a round to the
     * other members if its commit index has been acknowledged once, so that a leader that is cut off answers from an old
     * state until it steps down.
     */
    CompletableFuture<Void> barrier() {
        return begin(Message.EMPTY, true).thenApply(_ -> null);
    }

    private CompletableFuture<byte[]> begin(Message message, boolean barrier) {
        Request request = new Request(message, barrier, nextCall());
        open.add(request);
        try {
            request.start();
        } catch (RejectedExecutionException e) {
            request.fail(new LogFault(LogFault.Kind.CLOSED, "the log is closed"));
        }
        if (closed) {
            request.fail(new LogFault(LogFault.Kind.CLOSED, "the log is closed"));
        }
        return request.result;
    }

    /** The leader changed: requests waiting for the former leader are also sent to the new one. From any thread. */
    void leaderChanged() {
        try {
            parts.timer().execute(() -> open.forEach(Request::leaderChanged));
        } catch (RejectedExecutionException e) {
            closed = true;
        }
    }

    /** Fails waiting requests and refuses new ones. */
    void close(String why) {
        closed = true;
        open.forEach(r -> r.fail(new LogFault(r.unsent() ? LogFault.Kind.CLOSED : LogFault.Kind.UNKNOWN, why)));
    }

    /** A command or barrier, until it is answered. Its attempts run on the timer's thread. */
    private final class Request {
        final CompletableFuture<byte[]> result = new CompletableFuture<>();
        private final Message message;
        private final boolean barrier;
        private final long call;
        private volatile boolean sent;
        private volatile @Nullable ScheduledFuture<?> deadline;
        private @Nullable RaftPeerId target;
        private int attempts;
        private String last = "no leader is known";

        Request(Message message, boolean barrier, long call) {
            this.message = message;
            this.barrier = barrier;
            this.call = call;
        }

        void start() {
            deadline = parts.timer().schedule(this::late, times.submit().toMillis(), TimeUnit.MILLISECONDS);
            parts.timer().execute(this::attempt);
        }

        /** Whether it surely changed nothing. */
        boolean unsent() {
            return barrier || !sent;
        }

        private void attempt() {
            if (result.isDone()) {
                return;
            }
            RaftPeerId to = parts.route().leader();
            int attempt = ++attempts;
            target = to;
            if (to == null) {
                retry(attempt);
                return;
            }
            sent = true;
            CompletableFuture<RaftClientReply> reply;
            try {
                reply = to.equals(parts.server().getId())
                        ? parts.server().submitClientRequestAsync(request(to))
                        : parts.remote().sendRequestAsyncUnordered(request(to));
            } catch (IOException | RuntimeException e) {
                reply = CompletableFuture.failedFuture(e);
            }
            var _ = reply.whenComplete((r, failure) -> answered(to, attempt, r, failure));
        }

        private RaftClientRequest request(RaftPeerId to) {
            return RaftClientRequest.newBuilder()
                    .setClientId(parts.client())
                    .setServerId(to)
                    .setGroupId(parts.group())
                    .setCallId(call)
                    .setMessage(message)
                    .setType(RaftClientRequest.writeRequestType())
                    .build();
        }

        /** On any thread. */
        private void answered(
                RaftPeerId by, int attempt, @Nullable RaftClientReply reply, @Nullable Throwable failure) {
            if (reply != null && reply.isSuccess()) {
                byte[] answer = reply.getMessage().getContent().toByteArray();
                var _ = parts.route().reached(reply.getLogIndex()).thenRun(() -> finish(answer));
                return;
            }
            Throwable why = reply != null ? reply.getException() : failure;
            if (reply != null && reply.getStateMachineException() != null) {
                fail(new LogFault(LogFault.Kind.UNKNOWN, "the state refused the entry: " + why));
                return;
            }
            if (failure != null && !by.equals(parts.server().getId())) {
                parts.remote().handleException(by, failure, true);
            }
            try {
                parts.timer().execute(() -> {
                    last = by + ": " + why;
                    retry(attempt);
                });
            } catch (RejectedExecutionException e) {
                fail(new LogFault(LogFault.Kind.UNKNOWN, "the log is closed"));
            }
        }

        /** Only the latest attempt is retried. */
        private void retry(int attempt) {
            if (attempt == attempts && !result.isDone() && !closed) {
                var _ = parts.timer().schedule(this::attempt, RETRY_MILLIS, TimeUnit.MILLISECONDS);
            }
        }

        void leaderChanged() {
            RaftPeerId leader = parts.route().leader();
            if (leader != null && !leader.equals(target)) {
                attempt();
            }
        }

        private void late() {
            String text = "no answer within " + times.submit().toMillis() + " ms; " + last;
            fail(new LogFault(unsent() ? LogFault.Kind.NOT_COMMITTED : LogFault.Kind.UNKNOWN, text));
        }

        private void finish(byte[] answer) {
            close();
            result.complete(answer);
        }

        void fail(LogFault fault) {
            close();
            result.completeExceptionally(fault);
        }

        private void close() {
            open.remove(this);
            ScheduledFuture<?> d = deadline;
            if (d != null) {
                d.cancel(false);
            }
        }
    }
}

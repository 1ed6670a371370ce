package io.weir.cluster.members;

import io.netty.buffer.ByteBuf;
import io.weir.base.Counter;
import io.weir.wire.FrameHandler;
import io.weir.wire.WireConnection;
import io.weir.wire.WireFault;
import io.weir.wire.WireFault.Reason;
import io.weir.wire.WireReader;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Answers the requests of other members on one connection. Confined to the connection's loop. */
final class MembersHandler implements FrameHandler {
    private static final int MAX_IN_FLIGHT = 16;

    private final WireConnection connection;
    private final Function<MembersMessage, CompletableFuture<MembersMessage>> answers;
    private final Counter refused;
    private int inFlight;

    /** @param refused counts messages whose sender differs from the logged in user */
    MembersHandler(
            WireConnection connection,
            Function<MembersMessage, CompletableFuture<MembersMessage>> answers,
            Counter refused) {
        this.connection = connection;
        this.answers = answers;
        this.refused = refused;
    }

    @Override
    public void frame(int type, int stream, ByteBuf payload) {
        MembersFrame frame = MembersFrame.of(type);
        if (frame == null || frame == MembersFrame.INTRODUCED || frame == MembersFrame.DONE) {
            throw new WireFault(Reason.UNKNOWN_TYPE, "not a request between members: 0x" + Integer.toHexString(type));
        }
        if (!connection.groups().contains(MemberLogins.GROUP)) {
            throw new WireFault(
                    Reason.AUTHENTICATION,
                    "frames between members require a login as a member: cluster.secret must be the same on all"
                            + " members");
        }
        if (++inFlight > MAX_IN_FLIGHT) {
            throw new WireFault(Reason.LIMIT, "more than " + MAX_IN_FLIGHT + " requests at once");
        }
        int request = WireReader.i32(payload);
        MembersMessage message = MembersCodec.read(frame, payload);
        var _ = answer(message)
                .whenComplete((answer, failure) -> connection.loop().execute(() -> answered(request, answer, failure)));
    }

    private CompletableFuture<MembersMessage> answer(MembersMessage message) {
        String speaker = speaker(message);
        if (speaker == null || MemberLogins.user(speaker).equals(connection.user())) {
            return answers.apply(message);
        }
        refused.inc();
        return CompletableFuture.completedFuture(new MembersMessage.Done(
                MembersMessage.Outcome.REFUSED, connection.user() + " is logged in but sent a message as " + speaker));
    }

    /** The sender in a message must be the logged in user: otherwise one member could impersonate another. */
    private static @Nullable String speaker(MembersMessage message) {
        return switch (message) {
            case MembersMessage.Introduce m -> m.self().name();
            case MembersMessage.Join m -> m.self().name();
            case MembersMessage.Form m -> m.sender();
            default -> null;
        };
    }

    private void answered(int request, @Nullable MembersMessage answer, @Nullable Throwable failure) {
        inFlight--;
        if (answer != null) {
            MembersCodec.send(connection, request, answer);
        } else {
            MembersCodec.send(
                    connection,
                    request,
                    new MembersMessage.Done(MembersMessage.Outcome.LATER, String.valueOf(failure)));
        }
    }

    @Override
    public void closed(@Nullable Throwable cause) {
        // pending answers are discarded
    }
}

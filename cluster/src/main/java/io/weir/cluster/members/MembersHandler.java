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

/** Answers what other members ask on one connection. Confined to the connection's loop. */
final class MembersHandler implements FrameHandler {
    private static final int MOST_ASKED = 16;

    private final WireConnection connection;
    private final Function<MembersMessage, CompletableFuture<MembersMessage>> answers;
    private final Counter refused;
    private int asked;

    /** @param refused counts who speaks under a name with which it did not log in */
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
            throw new WireFault(Reason.UNKNOWN_TYPE, "no question between members: 0x" + Integer.toHexString(type));
        }
        if (!connection.groups().contains(MemberLogins.GROUP)) {
            throw new WireFault(
                    Reason.AUTHENTICATION,
                    "frames of members need a login as a member: cluster.secret must be the same on all");
        }
        if (++asked > MOST_ASKED) {
            throw new WireFault(Reason.LIMIT, "more than " + MOST_ASKED + " questions at once");
        }
        int request = WireReader.i32(payload);
        MembersMessage question = MembersCodec.read(frame, payload);
        var _ = answer(question)
                .whenComplete((answer, failure) -> connection.loop().execute(() -> answered(request, answer, failure)));
    }

    private CompletableFuture<MembersMessage> answer(MembersMessage question) {
        String speaker = speaker(question);
        if (speaker == null || MemberLogins.user(speaker).equals(connection.user())) {
            return answers.apply(question);
        }
        refused.inc();
        return CompletableFuture.completedFuture(new MembersMessage.Done(
                MembersMessage.Outcome.REFUSED, connection.user() + " logged in and speaks as " + speaker));
    }

    /** Who speaks of itself must be who logged in: otherwise one member could be heard as another. */
    private static @Nullable String speaker(MembersMessage question) {
        return switch (question) {
            case MembersMessage.Introduce m -> m.self().name();
            case MembersMessage.Join m -> m.self().name();
            case MembersMessage.Form m -> m.teller();
            default -> null;
        };
    }

    private void answered(int request, @Nullable MembersMessage answer, @Nullable Throwable failure) {
        asked--;
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
        // answers under way are discarded
    }
}

package io.weir.wire.server;

import io.netty.buffer.ByteBuf;
import io.weir.base.Chance;
import io.weir.base.HalfOpen;
import io.weir.base.Live;
import io.weir.base.Log;
import io.weir.wire.FrameHandler;
import io.weir.wire.WireConnection;
import io.weir.wire.WireFault;
import io.weir.wire.WireFault.Reason;
import io.weir.wire.WireFrame;
import io.weir.wire.WireMessages;
import io.weir.wire.WireReader;
import io.weir.wire.WireWriter;
import io.weir.wire.channel.Handshake;
import io.weir.wire.channel.NamingFrames;
import io.weir.wire.channel.Opened;
import io.weir.wire.channel.WireChannel;
import io.weir.wire.login.Authenticator;
import io.weir.wire.login.LoginKey;
import io.weir.wire.login.Principal;
import java.util.HexFormat;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * HELLO, WELCOME, AUTH, AUTH_OK from the server's side. Confined to the connection's loop, except for {@link #silent}.
 */
final class ServerHandshake implements Handshake {
    private static final int LONGEST_PRODUCT = 256;
    private static final int LONGEST_NAME = 256;
    private static final int LONGEST_PASSWORD = 1024;

    /** What the handshakes of a server share, and their callbacks. */
    record Shared(
            Live<WireConfig> config,
            Authenticator authenticator,
            NamingFrames naming,
            Function<WireConnection, FrameHandler> service,
            LongSupplier ids,
            Log log) {}

    private enum Step {
        HELLO,
        AUTH,
        CHALLENGED,
        CHECKING,
        DONE
    }

    private final Shared shared;
    private volatile Step step = Step.HELLO;
    private HalfOpen.@Nullable Place place;
    private Opened agreed = Opened.NOT_YET;
    private String product = "";
    private @Nullable CompletionStage<@Nullable Principal> check;
    private Challenge challenge = Challenge.NONE;

    /** The challenge sent to a user who logs in by proof. */
    private record Challenge(
            String user, String clientNonce, String serverNonce, Authenticator.@Nullable Proving proving) {
        static final Challenge NONE = new Challenge("", "", "", null);
    }

    ServerHandshake(Shared shared) {
        this.shared = shared;
    }

    /** Sets its place among the counted handshakes. */
    void at(HalfOpen.Place counted) {
        place = counted;
    }

    private void leave() {
        HalfOpen.Place p = place;
        place = null;
        if (p != null) {
            p.leave();
        }
    }

    /** Whether the server waits for the client. Callable from any thread. */
    boolean silent() {
        return step != Step.CHECKING && step != Step.DONE;
    }

    @Override
    public int maxFrame() {
        return Opened.MAX_BEFORE_LOGIN;
    }

    @Override
    public void begin(WireChannel channel) {
        channel.deadline(shared.config.get().handshakeTimeOut().toNanos());
    }

    @Override
    public void frame(WireChannel channel, WireFrame type, ByteBuf payload) {
        if (type == WireFrame.HELLO && step == Step.HELLO) {
            hello(channel, payload);
        } else if (type == WireFrame.AUTH && step == Step.AUTH) {
            auth(channel, payload);
        } else if (type == WireFrame.AUTH && step == Step.CHALLENGED) {
            proved(channel, payload);
        } else if (type == WireFrame.GOODBYE) {
            channel.close();
        } else {
            throw new WireFault(Reason.WRONG_STATE, type + " during the handshake, in step " + step);
        }
    }

    private void hello(WireChannel channel, ByteBuf in) {
        if (WireReader.i32(in) != Opened.MAGIC) {
            throw new WireFault(Reason.BAD_MAGIC, "the first frame is not a HELLO of this protocol");
        }
        int least = WireReader.u8(in);
        int most = WireReader.u8(in);
        int maxFrame = WireReader.i32(in);
        int heartbeat = WireReader.i32(in);
        product = WireReader.text(in, LONGEST_PRODUCT);
        int version = Opened.agree(least, most);
        if (version == 0) {
            throw new WireFault(
                    Reason.VERSION,
                    "the client supports versions " + least + " to " + most + ", the server " + Opened.LEAST_VERSION
                            + " to " + Opened.MOST_VERSION);
        }
        if (maxFrame < Opened.LEAST_MAX_FRAME || heartbeat < 0) {
            throw new WireFault(
                    Reason.MALFORMED, "frames of " + maxFrame + " bytes, a heartbeat of " + heartbeat + " ms");
        }
        welcome(channel, version, maxFrame, heartbeat);
    }

    private void welcome(WireChannel channel, int version, int maxFrame, int heartbeat) {
        WireConfig config = shared.config.get();
        long millis = Math.max(heartbeat, config.heartbeat().toMillis());
        agreed = new Opened(
                shared.ids.getAsLong(),
                version,
                "",
                Opened.NOT_YET.groups(),
                Math.min(maxFrame, config.maxFrame().asInt()),
                millis * 1_000_000,
                config.heartbeatsMissed());
        channel.agreed(agreed);
        step = Step.AUTH;
        ByteBuf out = channel.newFrame(WireFrame.WELCOME.code(), 0, 64);
        out.writeByte(version)
                .writeLong(agreed.id())
                .writeInt(agreed.maxFrame())
                .writeInt((int) millis);
        WireWriter.text(out, "weir");
        channel.send(out);
    }

    private void auth(WireChannel channel, ByteBuf in) {
        String mechanism = WireReader.text(in, 64);
        if (!mechanism.equals(PLAIN) && !mechanism.equals(PROOF)) {
            throw new WireFault(
                    Reason.AUTHENTICATION, "login mechanism " + mechanism + " is not supported, only PLAIN and PROOF");
        }
        String user = WireReader.optionalText(in, LONGEST_NAME);
        String password = WireReader.optionalText(in, LONGEST_PASSWORD);
        if (mechanism.equals(PROOF)) {
            challenge(channel, user, password);
            return;
        }
        step = Step.CHECKING;
        CompletionStage<@Nullable Principal> stage =
                shared.authenticator.check(user, password == null ? null : password.toCharArray(), channel.remote());
        check = stage;
        stage.whenComplete((principal, failure) -> {
            if (channel.loop().inEventLoop()) {
                checked(channel, user, principal, failure);
            } else {
                channel.loop().execute(() -> checked(channel, user, principal, failure));
            }
        });
    }

    /**
     * Both ends generate a nonce; the client proves first, so that a client that does not know the key gets nothing to
     * guess it from.
     */
    private void challenge(WireChannel channel, @Nullable String user, @Nullable String clientNonce) {
        Authenticator.Proving proving = user == null ? null : shared.authenticator.proving(user);
        if (user == null || proving == null) {
            refused(channel, user, new WireFault(Reason.AUTHENTICATION, "this server shares no secret with this user"));
            return;
        }
        if (clientNonce == null || clientNonce.length() != 2 * NONCE) {
            throw new WireFault(
                    Reason.MALFORMED, "a login by proof needs a nonce of " + NONCE + " bytes, in hexadecimal");
        }
        String nonce = HexFormat.of().formatHex(Chance.secret(NONCE));
        challenge = new Challenge(user, clientNonce, nonce, proving);
        step = Step.CHALLENGED;
        ByteBuf out = channel.newFrame(WireFrame.CHALLENGE.code(), 0, 2 * NONCE + 2);
        WireWriter.text(out, nonce);
        channel.send(out);
    }

    private void proved(WireChannel channel, ByteBuf in) {
        String mechanism = WireReader.text(in, 64);
        String user = WireReader.optionalText(in, LONGEST_NAME);
        String proof = WireReader.optionalText(in, LONGEST_PASSWORD);
        Challenge c = challenge;
        Authenticator.Proving proving = Objects.requireNonNull(c.proving());
        String expected = proving.key().proof(LoginKey.End.CLIENT, c.user(), c.clientNonce(), c.serverNonce());
        if (mechanism.equals(PROOF) && c.user().equals(user) && LoginKey.same(expected, proof)) {
            accept(
                    channel,
                    proving.principal(),
                    proving.key().proof(LoginKey.End.SERVER, c.user(), c.clientNonce(), c.serverNonce()));
        } else {
            refused(
                    channel,
                    c.user(),
                    new WireFault(Reason.AUTHENTICATION, "the proof is wrong: the two ends have different secrets"));
        }
    }

    private void checked(
            WireChannel channel, @Nullable String user, @Nullable Principal principal, @Nullable Throwable failure) {
        if (!channel.inHandshake()) {
            return;
        }
        if (principal != null) {
            accept(channel, principal, null);
            return;
        }
        refused(channel, user, refusal(failure));
    }

    private void refused(WireChannel channel, @Nullable String user, WireFault fault) {
        shared.log.log(
                WireMessages.LOGIN_REFUSED,
                channel.remote().getHostString(),
                user == null ? "no user" : user,
                fault.text());
        channel.fail(fault);
    }

    private static WireFault refusal(@Nullable Throwable failure) {
        Throwable cause = failure != null && failure.getCause() instanceof WireFault f ? f : failure;
        if (cause instanceof WireFault f) {
            return f;
        }
        return cause == null
                ? new WireFault(Reason.AUTHENTICATION, "user or password is wrong, or a login is required")
                : new WireFault(Reason.INTERNAL, "the login could not be checked", cause);
    }

    private void accept(WireChannel channel, Principal principal, @Nullable String proof) {
        step = Step.DONE;
        leave();
        Opened o = new Opened(
                agreed.id(),
                agreed.version(),
                principal.user(),
                principal.groups(),
                agreed.maxFrame(),
                agreed.heartbeatNanos(),
                agreed.heartbeatsMissed());
        channel.naming(shared.naming);
        channel.agreed(o);
        ByteBuf out = channel.newFrame(WireFrame.AUTH_OK.code(), 0, 32);
        WireWriter.text(out, principal.user());
        if (proof != null) {
            WireWriter.text(out, proof);
        }
        channel.send(out);
        channel.open(o, shared.service.apply(channel));
        shared.log.log(WireMessages.CONNECTED, Long.toHexString(o.id()), channel.remote(), principal.user(), product);
    }

    @Override
    public void ended(Throwable cause) {
        CompletionStage<@Nullable Principal> c = check;
        if (c != null) {
            // A check that is still queued is no longer needed.
            c.toCompletableFuture().cancel(false);
        }
        if (step != Step.DONE) {
            step = Step.DONE;
            leave();
        }
    }
}

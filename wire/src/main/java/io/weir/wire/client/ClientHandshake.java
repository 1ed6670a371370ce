package io.weir.wire.client;

import io.netty.buffer.ByteBuf;
import io.weir.base.Chance;
import io.weir.wire.FrameHandler;
import io.weir.wire.WireConnection;
import io.weir.wire.WireFault;
import io.weir.wire.WireFault.Reason;
import io.weir.wire.WireFrame;
import io.weir.wire.WireReader;
import io.weir.wire.WireWriter;
import io.weir.wire.channel.Handshake;
import io.weir.wire.channel.Opened;
import io.weir.wire.channel.WireChannel;
import io.weir.wire.login.Credentials;
import io.weir.wire.login.LoginKey;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** HELLO, WELCOME, AUTH, AUTH_OK from the client's side. Confined to the connection's loop. */
final class ClientHandshake implements Handshake {
    private static final int LONGEST_PRODUCT = 256;

    private final Credentials credentials;
    private final ClientOptions options;
    private final Function<WireConnection, FrameHandler> service;
    private final CompletableFuture<WireConnection> result;
    private boolean begun;
    private boolean welcomed;
    private final String nonce = HexFormat.of().formatHex(Chance.secret(NONCE));
    private String challenge = "";
    private Opened agreed = Opened.NOT_YET;

    ClientHandshake(
            Credentials credentials,
            ClientOptions options,
            Function<WireConnection, FrameHandler> service,
            CompletableFuture<WireConnection> result) {
        this.credentials = credentials;
        this.options = options;
        this.service = service;
        this.result = result;
    }

    @Override
    public int maxFrame() {
        return Opened.MAX_BEFORE_LOGIN;
    }

    @Override
    public void begin(WireChannel channel) {
        if (begun) {
            return;
        }
        begun = true;
        channel.deadline(options.handshakeTimeOut().toNanos());
        ByteBuf out = channel.newFrame(WireFrame.HELLO.code(), 0, 64);
        out.writeInt(Opened.MAGIC).writeByte(Opened.LEAST_VERSION).writeByte(Opened.MOST_VERSION);
        out.writeInt(options.maxFrame())
                .writeInt((int) Math.min(options.heartbeat().toMillis(), Integer.MAX_VALUE));
        WireWriter.text(out, options.product());
        channel.send(out);
    }

    @Override
    public void frame(WireChannel channel, WireFrame type, ByteBuf payload) {
        if (type == WireFrame.WELCOME && !welcomed) {
            welcome(channel, payload);
        } else if (type == WireFrame.CHALLENGE && welcomed && challenge.isEmpty() && credentials.key() != null) {
            challenged(channel, payload, credentials.key());
        } else if (type == WireFrame.AUTH_OK && welcomed) {
            accepted(channel, payload);
        } else if (type == WireFrame.GOODBYE) {
            channel.close();
        } else {
            throw new WireFault(Reason.WRONG_STATE, type + " during the handshake");
        }
    }

    private void welcome(WireChannel channel, ByteBuf in) {
        int version = WireReader.u8(in);
        long id = WireReader.i64(in);
        int maxFrame = WireReader.i32(in);
        int heartbeat = WireReader.i32(in);
        WireReader.text(in, LONGEST_PRODUCT);
        if (version < Opened.LEAST_VERSION || version > Opened.MOST_VERSION) {
            throw new WireFault(Reason.VERSION, "the server selected version " + version + ", which was not offered");
        }
        if (maxFrame < Opened.LEAST_MAX_FRAME || maxFrame > options.maxFrame() || heartbeat <= 0) {
            throw new WireFault(
                    Reason.MALFORMED, "frames of " + maxFrame + " bytes, a heartbeat of " + heartbeat + " ms");
        }
        welcomed = true;
        agreed = new Opened(id, version, "", List.of(), maxFrame, heartbeat * 1_000_000L, options.heartbeatsMissed());
        channel.agreed(agreed);
        if (credentials.key() == null) {
            auth(channel, PLAIN, credentials.password());
        } else {
            auth(channel, PROOF, nonce);
        }
    }

    private void auth(WireChannel channel, String mechanism, @Nullable String password) {
        ByteBuf out = channel.newFrame(WireFrame.AUTH.code(), 0, 64);
        WireWriter.text(out, mechanism);
        WireWriter.optionalText(out, credentials.user());
        WireWriter.optionalText(out, password);
        channel.send(out);
    }

    private void challenged(WireChannel channel, ByteBuf in, LoginKey key) {
        challenge = WireReader.text(in, LONGEST_PRODUCT);
        if (challenge.length() != 2 * NONCE) {
            throw new WireFault(Reason.MALFORMED, "a challenge of " + challenge.length() + " characters");
        }
        auth(channel, PROOF, key.proof(LoginKey.End.CLIENT, user(), nonce, challenge));
    }

    private String user() {
        String user = credentials.user();
        return user == null ? "" : user;
    }

    /** Verifies that the server knows the key too; otherwise it is not one of our servers. */
    private void checkServer(ByteBuf in) {
        LoginKey key = credentials.key();
        if (key == null) {
            return;
        }
        String proof = challenge.isEmpty() ? null : WireReader.text(in, LONGEST_PRODUCT);
        if (!LoginKey.same(key.proof(LoginKey.End.SERVER, user(), nonce, challenge), proof)) {
            throw new WireFault(Reason.AUTHENTICATION, "the server does not prove that it knows the secret");
        }
    }

    private void accepted(WireChannel channel, ByteBuf in) {
        String user = WireReader.text(in, LONGEST_PRODUCT);
        checkServer(in);
        Opened o = new Opened(
                agreed.id(),
                agreed.version(),
                user,
                List.of(),
                agreed.maxFrame(),
                agreed.heartbeatNanos(),
                agreed.heartbeatsMissed());
        channel.agreed(o);
        channel.open(o, service.apply(channel));
        if (!result.complete(channel)) {
            // cancelled in the meantime
            channel.close();
        }
    }

    @Override
    public void ended(Throwable cause) {
        result.completeExceptionally(cause);
    }
}

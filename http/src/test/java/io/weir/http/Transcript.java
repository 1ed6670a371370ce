package io.weir.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decodes a connection's whole input, given in pieces, and writes down everything that the decoders report, so that
 * two runs can be compared. Every piece comes in a buffer of its own, with what was left of the last one before it.
 */
final class Transcript {
    /** Small bounds, so that short messages reach them. */
    static final DecoderLimits SMALL = new DecoderLimits(512, 32, 2048, 32, 64, 128, 512, 8);

    private final Side side;
    private final RequestDecoder requests;
    private final ResponseDecoder responses;
    private final BodyDecoder body;
    private final StringBuilder text = new StringBuilder();
    private final StringBuilder data = new StringBuilder();
    private final ByteBuf encoded = Unpooled.buffer();
    private Framing framing = Framing.NONE;
    private int completedText;
    private int completedBytes;
    private boolean inBody;
    private boolean ended;
    private long consumed;
    private @Nullable ProtocolFault fault;

    private Transcript(Side side, Method method, DecoderLimits limits) {
        this.side = side;
        HeadScratch scratch = new HeadScratch(2);
        requests = new RequestDecoder(() -> limits, scratch);
        responses = new ResponseDecoder(() -> limits, scratch);
        responses.expect(method);
        body = new BodyDecoder(side, () -> limits);
    }

    static Transcript of(Side side, Method method, DecoderLimits limits, List<byte[]> pieces) {
        Transcript transcript = new Transcript(side, method, limits);
        byte[] rest = new byte[0];
        for (byte[] piece : pieces) rest = transcript.feed(rest, piece);
        transcript.close();
        return transcript;
    }

    static Transcript of(Side side, Method method, DecoderLimits limits, byte[] whole) {
        return of(side, method, limits, List.of(whole));
    }

    static List<byte[]> cut(byte[] whole, int... cuts) {
        List<byte[]> pieces = new ArrayList<>();
        int from = 0;
        for (int cut : cuts) {
            pieces.add(Arrays.copyOfRange(whole, from, cut));
            from = cut;
        }
        pieces.add(Arrays.copyOfRange(whole, from, whole.length));
        return pieces;
    }

    static List<byte[]> bytewise(byte[] whole) {
        List<byte[]> pieces = new ArrayList<>();
        for (byte b : whole) pieces.add(new byte[] {b});
        return pieces;
    }

    @Nullable
    Fault fault() {
        ProtocolFault found = fault;
        return found == null ? null : found.reason();
    }

    @Nullable
    ProtocolFault protocolFault() {
        return fault;
    }

    private byte[] feed(byte[] rest, byte[] piece) {
        byte[] joined = Arrays.copyOf(rest, rest.length + piece.length);
        System.arraycopy(piece, 0, joined, rest.length, piece.length);
        ByteBuf in = Unpooled.wrappedBuffer(joined);
        try {
            int before = -1;
            while (!ended && before != in.readerIndex()) {
                before = in.readerIndex();
                step(in);
            }
            consumed += in.readerIndex();
            return Arrays.copyOfRange(joined, in.readerIndex(), joined.length);
        } finally {
            in.release();
        }
    }

    private void step(ByteBuf in) {
        if (inBody) {
            body(in);
            return;
        }
        switch ((side == Side.REQUEST ? requests : responses).decode(in)) {
            case MORE -> taken(in);
            case FAULT -> fail(side == Side.REQUEST ? requests.fault() : responses.fault());
            case HEAD -> {
                if (side == Side.REQUEST) request(requests.head());
                else response(responses.head());
                body(in);
            }
        }
    }

    private void request(RequestHead head) {
        text.append(head.method())
                .append(' ')
                .append(head.target())
                .append(' ')
                .append(head.version().text());
        Encoder.requestLine(encoded, head.method(), head.bytes(), head.targetStart(), head.targetEnd(), head.version());
        text.append("\nform=").append(head.targetForm()).append(" host=").append(head.host());
        text.append(" name=").append(head.hostName()).append(" port=").append(head.port());
        text.append(" path=").append(head.path()).append(" query=").append(head.query());
        text.append(" expects=").append(head.expectsContinue());
        common(head.fields(), head.framing(), head.contentLength(), head.keepAlive());
        begin(head.framing(), head.contentLength());
        ended = head.methodId() == Method.CONNECT;
    }

    private void response(ResponseHead head) {
        text.append(head.version().text())
                .append(' ')
                .append(head.status())
                .append(' ')
                .append(head.reason());
        Encoder.statusLine(encoded, head.version(), head.status(), head.reason());
        text.append("\ninterim=").append(head.interim());
        common(head.fields(), head.framing(), head.contentLength(), head.keepAlive());
        begin(head.framing(), head.contentLength());
        ended = head.status() == 101;
    }

    /** The complete messages, written again by the encoder. */
    byte[] encoded() {
        byte[] bytes = new byte[completedBytes];
        encoded.getBytes(0, bytes);
        return bytes;
    }

    /** What was reported of the complete messages. */
    String completed() {
        return text.substring(0, completedText);
    }

    private void common(Fields fields, Framing framing, long length, boolean keepAlive) {
        text.append(" framing=").append(framing).append(" length=").append(length);
        text.append(" keepAlive=").append(keepAlive).append('\n');
        for (int i = 0; i < fields.size(); i++) {
            text.append("  ")
                    .append(fields.name(i))
                    .append(": [")
                    .append(fields.value(i))
                    .append("] ");
            text.append(fields.id(i)).append('\n');
        }
        Encoder.fields(encoded, fields);
        Encoder.endOfHead(encoded);
    }

    private void begin(Framing kind, long length) {
        framing = kind;
        body.begin(kind, kind == Framing.LENGTH ? length : 0);
        inBody = true;
        data.setLength(0);
    }

    private void body(ByteBuf in) {
        for (ByteBuf slice = body.next(in); slice != null; slice = body.next(in)) {
            data.append(slice.toString(StandardCharsets.ISO_8859_1));
            slice.release();
        }
        if (body.fault() != null) fail(body.fault());
        else if (body.done()) endBody();
        else taken(in);
    }

    private static void taken(ByteBuf in) {
        if (in.isReadable()) throw new AssertionError("wants more, yet left " + in.readableBytes() + " bytes");
    }

    private void endBody() {
        inBody = false;
        text.append("  body ").append(data.length()).append(' ').append(data).append('\n');
        Fields trailers = body.trailers();
        if (framing == Framing.CHUNKED && !data.isEmpty()) Encoder.chunkHeader(encoded, data.length());
        encoded.writeCharSequence(data, StandardCharsets.ISO_8859_1);
        if (framing == Framing.CHUNKED && !data.isEmpty()) Encoder.chunkEnd(encoded);
        if (framing == Framing.CHUNKED) Encoder.lastChunk(encoded, trailers);
        for (int i = 0; i < trailers.size(); i++) {
            text.append("  trailer ")
                    .append(trailers.name(i))
                    .append(": [")
                    .append(trailers.value(i))
                    .append("]\n");
        }
    }

    private void fail(@Nullable ProtocolFault found) {
        if (found == null) throw new AssertionError("no fault");
        ended = true;
        fault = found;
        text.append("FAULT ").append(found.reason().label()).append(' ').append(found.status());
        if (inBody) text.append(" after body ").append(data);
        text.append('\n');
    }

    private void close() {
        HeadDecoder heads = side == Side.REQUEST ? requests : responses;
        if (!ended) {
            ProtocolFault cut = inBody ? body.inputClosed() : heads.inputClosed();
            if (cut != null) fail(cut);
            else if (inBody) endBody();
        }
        text.append("consumed ").append(consumed).append('\n');
        heads.reset();
        if (!heads.idle()) throw new AssertionError("not idle after reset");
    }

    @Override
    public String toString() {
        return text.toString();
    }
}

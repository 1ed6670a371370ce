package io.weir.lab.mix;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * One connection to an origin that speaks HTTP/2: one thread reads, one for each request answers. What the plan calls the end
 * of a connection is that of the stream. Owned by its reading thread.
 */
final class Http2Origin {
    private static final int FRAME = 16_384;

    /** A request that is being read. */
    private record Hearing(Ask ask, Map<String, String> fields, long heard, ByteArrayOutputStream body) {}

    private final MixOrigin origin;
    private final Ledger ledger;
    private final Wire wire;
    private final Frames frames;
    private final Windows windows = new Windows();
    private final Map<Integer, Hearing> hearing = new HashMap<>();
    private final Set<Integer> gone = ConcurrentHashMap.newKeySet();

    Http2Origin(MixOrigin origin, Socket socket, Dice dice) throws IOException {
        this.origin = origin;
        this.ledger = origin.ledger;
        this.wire = new Wire(socket, dice);
        this.frames = new Frames(wire);
    }

    void serve() throws IOException {
        ByteArrayOutputStream preface = new ByteArrayOutputStream();
        if (!wire.read(Frames.PREFACE.length, preface) || !Arrays.equals(preface.toByteArray(), Frames.PREFACE)) {
            ledger.violation(Feature.HTTP2_ORIGINS, origin.name + " heard " + preface + " instead of a preface");
            return;
        }
        try {
            frames.write(Frames.SETTINGS, 0, 0, new byte[0]);
            while (true) {
                read(frames.next());
            }
        } finally {
            windows.close();
        }
    }

    private void read(Frames.Frame frame) throws IOException {
        switch (frame.type()) {
            case Frames.HEADERS -> head(frame);
            case Frames.DATA -> data(frame);
            case Frames.SETTINGS -> settings(frame);
            case Frames.PING -> {
                if (frame.flags() == 0) {
                    frames.write(Frames.PING, 1, 0, frame.payload());
                }
            }
            case Frames.WINDOW_UPDATE -> windows.opened(frame.stream(), frame.number(0));
            case Frames.RST_STREAM -> {
                gone.add(frame.stream());
                windows.forget(frame.stream());
                hearing.remove(frame.stream());
            }
            default -> {}
        }
    }

    private void settings(Frames.Frame frame) throws IOException {
        if ((frame.flags() & 1) != 0) {
            return;
        }
        for (int at = 0; at < frame.payload().length; at += 6) {
            if (frame.payload()[at + 1] == 4) {
                windows.initial(frame.number(at + 2));
            }
        }
        frames.write(Frames.SETTINGS, 1, 0, new byte[0]);
    }

    private void head(Frames.Frame frame) throws IOException {
        Map<String, String> fields = frames.fields(frame);
        Hearing before = hearing.get(frame.stream());
        if (before != null) {
            // trailers
            end(frame.stream(), before);
            return;
        }
        long heard = ledger.now();
        Ask ask = origin.heard(
                fields.getOrDefault(":method", ""),
                fields.getOrDefault(":authority", ""),
                fields.getOrDefault(":path", ""),
                fields,
                false);
        if (ask == null) {
            frames.write(Frames.RST_STREAM, 0, frame.stream(), Frames.number(Frames.CANCEL));
            return;
        }
        Hearing now = new Hearing(ask, fields, heard, new ByteArrayOutputStream());
        if (frame.ends()) {
            end(frame.stream(), now);
        } else if (ask.plan.early()) {
            answer(frame.stream(), now);
        } else {
            hearing.put(frame.stream(), now);
            if (fields.getOrDefault("expect", "").equals("100-continue")) {
                frames.write(Frames.HEADERS, Frames.END_HEADERS, frame.stream(), Frames.block(List.of(":status: 100")));
            }
        }
    }

    private void data(Frames.Frame frame) throws IOException {
        if (frame.payload().length > 0) {
            frames.write(Frames.WINDOW_UPDATE, 0, 0, Frames.number(frame.payload().length));
        }
        Hearing of = hearing.get(frame.stream());
        if (of == null) {
            return;
        }
        of.body().writeBytes(frame.payload());
        if (frame.ends()) {
            end(frame.stream(), of);
        } else if (frame.payload().length > 0) {
            frames.write(Frames.WINDOW_UPDATE, 0, frame.stream(), Frames.number(frame.payload().length));
        }
    }

    private void end(int stream, Hearing whole) {
        hearing.remove(stream);
        origin.body(whole.ask(), whole.body().toByteArray());
        answer(stream, whole);
    }

    private void answer(int stream, Hearing to) {
        Dice own = Dice.of(to.ask().plan.dice(), stream);
        Thread.ofVirtual().start(() -> {
            try {
                if (to.ask().plan.waits()) {
                    own.pause(8_000);
                }
                Reply reply =
                        Reply.to(ledger, origin.name, to.ask(), to.heard(), to.fields(), ledger.arrivals(to.ask()) > 1);
                say(stream, reply, own);
            } catch (IOException e) {
                // the connection or stream is over
            }
        });
    }

    private void say(int stream, Reply reply, Dice own) throws IOException {
        Plan.Trouble trouble = reply.sent.trouble();
        if (trouble == Plan.Trouble.NO_ANSWER || trouble == Plan.Trouble.CUT_HEAD) {
            frames.write(Frames.RST_STREAM, 0, stream, Frames.number(Frames.CANCEL));
            return;
        }
        if (reply.plan.interim()) {
            frames.write(
                    Frames.HEADERS,
                    Frames.END_HEADERS,
                    stream,
                    Frames.block(List.of(":status: 103", "x-made: " + reply.sent.number())));
        }
        List<String> lines = new ArrayList<>();
        lines.add(":status: " + (trouble == Plan.Trouble.NO_HTTP ? "2OO" : reply.status));
        for (String field : reply.fields) {
            int colon = field.indexOf(':');
            lines.add(field.substring(0, colon).toLowerCase(Locale.ROOT) + field.substring(colon));
        }
        boolean bodiless = reply.headOnly || reply.status == 304;
        if (reply.plan.framing() == Plan.Framing.LENGTH && reply.status != 304) {
            lines.add("content-length: " + reply.body.length);
        }
        byte[] block = Frames.block(lines);
        if (trouble == Plan.Trouble.BAD_BODY) {
            // data that is longer than its stream may say: the proxy sees the reset in the same read as the head
            byte[] head = Frames.bytes(Frames.HEADERS, Frames.END_HEADERS, stream, block);
            byte[] reset = Frames.bytes(Frames.RST_STREAM, 0, stream, Frames.number(Frames.CANCEL));
            byte[] both = Arrays.copyOf(head, head.length + reset.length);
            System.arraycopy(reset, 0, both, head.length, reset.length);
            frames.writeInPieces(both);
            return;
        }
        boolean last = bodiless || (reply.body.length == 0 && !reply.plan.trailers());
        frames.write(Frames.HEADERS, Frames.END_HEADERS | (last ? Frames.END_STREAM : 0), stream, block);
        if (!last) {
            body(stream, reply, own);
        }
    }

    private void body(int stream, Reply reply, Dice own) throws IOException {
        byte[] body = reply.body;
        boolean cut = reply.sent.trouble() == Plan.Trouble.CUT_BODY;
        int end = cut ? own.below(body.length) : body.length;
        boolean trailers = reply.plan.trailers();
        for (int at = 0; at < end; ) {
            int n = windows.take(stream, Math.min(end - at, 1 + own.below(FRAME)));
            if (gone.contains(stream)) {
                return;
            }
            byte[] piece = Arrays.copyOfRange(body, at, at + n);
            at += n;
            boolean last = at == body.length && !trailers;
            frames.write(Frames.DATA, last ? Frames.END_STREAM : 0, stream, piece);
        }
        if (cut) {
            frames.write(Frames.RST_STREAM, 0, stream, Frames.number(Frames.CANCEL));
        } else if (trailers) {
            frames.write(
                    Frames.HEADERS,
                    Frames.END_HEADERS | Frames.END_STREAM,
                    stream,
                    Frames.block(List.of("x-sum: " + reply.sent.number())));
        }
    }
}

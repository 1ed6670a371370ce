package io.weir.lab.mix;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A client that speaks HTTP/2: several streams at once on a connection that it keeps. Confined to its customer's thread. */
final class Http2Client implements AutoCloseable {
    private static final int SIP = 2_000;

    /** A stream that is open. */
    private static final class Stream {
        final Ask ask;
        final Answer answer = new Answer();
        final ByteArrayOutputStream body = new ByteArrayOutputStream();

        Stream(Ask ask) {
            this.ask = ask;
        }
    }

    private final int port;
    private final Ledger ledger;
    private @Nullable Wire wire;
    private @Nullable Frames frames;
    private int nextStream = 1;
    private boolean leaving;

    Http2Client(int port, Ledger ledger) {
        this.port = port;
        this.ledger = ledger;
    }

    List<Answer> ask(List<Ask> asks, Dice dice) throws IOException {
        if (leaving || nextStream > 400) {
            close();
        }
        Frames on = frames == null ? connect(asks.getFirst(), dice) : frames;
        Map<Integer, Stream> open = new LinkedHashMap<>();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (Ask ask : asks) {
            ask.started = ledger.now();
            open.put(nextStream, new Stream(ask));
            request(out, nextStream, ask);
            nextStream += 2;
        }
        List<Stream> all = List.copyOf(open.values());
        try {
            on.writeInPieces(out.toByteArray());
            goAway(on, open, dice);
            while (!open.isEmpty()) {
                read(on, on.next(), open, dice);
            }
        } catch (IOException e) {
            leaving = true;
            for (Stream s : List.copyOf(open.values())) {
                over(s, Answer.End.CUT, e.toString());
            }
        }
        List<Answer> answers = new ArrayList<>();
        all.forEach(s -> answers.add(s.answer));
        return answers;
    }

    private Frames connect(Ask first, Dice dice) throws IOException {
        Wire made = Http1Client.connect(port, first.who, dice, false);
        Frames on = new Frames(made);
        made.write(Frames.PREFACE);
        // half of the connections take little at a time
        on.write(Frames.SETTINGS, 0, 0, dice.percent(50) ? Frames.setting(4, 20_000) : new byte[0]);
        wire = made;
        frames = on;
        nextStream = 1;
        leaving = false;
        return on;
    }

    private static void request(ByteArrayOutputStream out, int stream, Ask ask) {
        Target t = ask.target;
        List<String> lines = new ArrayList<>();
        lines.add(":method: " + ask.method);
        lines.add(":scheme: http");
        lines.add(":authority: " + (ask.spelled ? t.spelledHost() + ":80" : t.host()));
        lines.add(":path: " + (ask.spelled ? t.spelledPath() : t.path()));
        Http1Client.fields(ask).forEach((name, value) -> lines.add(name.toLowerCase(Locale.ROOT) + ": " + value));
        if (ask.trailers) {
            lines.add("te: trailers");
        }
        byte[] body = ask.body == null ? null : Content.of(ask.body);
        if (body != null && !ask.chunked) {
            lines.add("content-length: " + body.length);
        }
        int end = body == null ? Frames.END_STREAM : 0;
        out.writeBytes(Frames.bytes(Frames.HEADERS, Frames.END_HEADERS | end, stream, Frames.block(lines)));
        if (body != null) {
            int most = 16_384;
            for (int at = 0; at < body.length; at += most) {
                byte[] piece = java.util.Arrays.copyOfRange(body, at, Math.min(body.length, at + most));
                out.writeBytes(Frames.bytes(Frames.DATA, 0, stream, piece));
            }
            out.writeBytes(Frames.bytes(Frames.DATA, Frames.END_STREAM, stream, new byte[0]));
        }
    }

    private void goAway(Frames on, Map<Integer, Stream> open, Dice dice) throws IOException {
        for (Map.Entry<Integer, Stream> e : List.copyOf(open.entrySet())) {
            if (e.getValue().ask.manner == Ask.Manner.GOES_AWAY) {
                dice.pause(3_000);
                on.write(Frames.RST_STREAM, 0, e.getKey(), Frames.number(Frames.CANCEL));
                over(e.getValue(), Answer.End.LEFT, "");
                open.remove(e.getKey());
            }
        }
    }

    private void read(Frames on, Frames.Frame frame, Map<Integer, Stream> open, Dice dice) throws IOException {
        Stream of = open.get(frame.stream());
        switch (frame.type()) {
            case Frames.SETTINGS -> {
                if ((frame.flags() & 1) == 0) {
                    on.write(Frames.SETTINGS, 1, 0, new byte[0]);
                }
            }
            case Frames.PING -> {
                if ((frame.flags() & 1) == 0) {
                    on.write(Frames.PING, 1, 0, frame.payload());
                }
            }
            case Frames.GOAWAY -> goodbye(frame, open);
            case Frames.HEADERS -> head(on.fields(frame), of);
            case Frames.DATA -> data(on, frame, of, dice);
            case Frames.RST_STREAM -> {
                if (of != null) {
                    boolean refused = frame.number(0) == Frames.REFUSED_STREAM;
                    over(of, refused ? Answer.End.NEVER_READ : Answer.End.CUT, "reset with " + frame.number(0));
                    open.remove(frame.stream());
                }
            }
            default -> {}
        }
        if (of != null && frame.ends() && of.answer.status != 0) {
            over(of, Answer.End.WHOLE, "");
            open.remove(frame.stream());
        }
    }

    /** What begins behind the last stream that it names was not looked at. */
    private void goodbye(Frames.Frame frame, Map<Integer, Stream> open) {
        leaving = true;
        open.entrySet().removeIf(e -> {
            boolean behind = e.getKey() > frame.number(0) && frame.number(4) == Frames.NO_ERROR;
            if (behind) {
                over(e.getValue(), Answer.End.NEVER_READ, "behind GOAWAY");
            }
            return behind;
        });
    }

    private static void head(Map<String, String> fields, @Nullable Stream of) {
        if (of == null) {
            return;
        }
        String status = fields.remove(":status");
        if (status == null) {
            of.answer.trailers.putAll(fields);
        } else if (status.startsWith("1")) {
            of.answer.interim.add(new HashMap<>(fields));
        } else {
            of.answer.status = Integer.parseInt(status);
            of.answer.fields.putAll(fields);
        }
    }

    private static void data(Frames on, Frames.Frame frame, @Nullable Stream of, Dice dice) throws IOException {
        int length = frame.payload().length;
        if (of != null) {
            of.body.writeBytes(frame.payload());
        }
        if (length == 0) {
            return;
        }
        boolean slow = of != null && of.ask.manner == Ask.Manner.SLOW;
        for (int left = length; left > 0; ) {
            int n = slow ? Math.min(left, SIP) : left;
            if (slow) {
                dice.pause(200);
            }
            on.write(Frames.WINDOW_UPDATE, 0, 0, Frames.number(n));
            if (!frame.ends()) {
                on.write(Frames.WINDOW_UPDATE, 0, frame.stream(), Frames.number(n));
            }
            left -= n;
        }
    }

    private void over(Stream s, Answer.End end, String how) {
        String length = s.answer.field("content-length");
        boolean bodiless = s.ask.head() || s.answer.status == 304 || s.answer.status == 204;
        boolean less = length != null && !bodiless && Integer.parseInt(length) != s.body.size();
        s.answer.body = s.body.toByteArray();
        s.answer.reused = true;
        if (end == Answer.End.WHOLE && less) {
            s.answer.ends(Answer.End.CUT, "ended after " + s.body.size() + " of " + length);
        } else {
            s.answer.ends(end, how);
        }
        s.ask.whole = end == Answer.End.WHOLE;
        s.ask.ended = ledger.now();
    }

    @Override
    public void close() throws IOException {
        Wire old = wire;
        wire = null;
        frames = null;
        if (old != null) {
            old.close();
        }
    }
}

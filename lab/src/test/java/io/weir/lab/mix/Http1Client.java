package io.weir.lab.mix;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A client that speaks HTTP/1, over a connection that it keeps while it may. Confined to its customer's thread. */
final class Http1Client implements AutoCloseable {
    private static final int SMALL = 4096;

    private final int port;
    private final Ledger ledger;
    private @Nullable Wire wire;
    private boolean reused;
    /** The last one on this connection, and what it got. */
    private String before = "";

    Http1Client(int port, Ledger ledger) {
        this.port = port;
        this.ledger = ledger;
    }

    /** A new connection that says whose it is. */
    static Wire connect(int port, Ask.Who who, Dice dice, boolean slow) throws IOException {
        Socket socket = new Socket();
        if (slow) {
            socket.setReceiveBufferSize(SMALL);
        }
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), Wire.PATIENCE_MILLIS);
        Wire made = new Wire(socket, dice);
        made.write(Wire.bytes("PROXY TCP4 " + who.address + " 127.0.0.1 40000 80\r\n"));
        return made;
    }

    /** Asks all in one go and reads what comes. */
    List<Answer> ask(List<Ask> asks, Dice dice) throws IOException {
        Ask first = asks.getFirst();
        boolean plain = first.manner == Ask.Manner.PLAIN;
        if (!plain) {
            close();
        }
        Wire on = wire;
        if (on == null) {
            on = connect(port, first.who, dice, first.manner == Ask.Manner.SLOW);
            reused = false;
        }
        wire = plain ? on : null;
        on.sip(first.manner == Ask.Manner.SLOW);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (Ask ask : asks) {
            ask.started = ledger.now();
            out.writeBytes(head(ask));
            if (!ask.expects) {
                out.writeBytes(body(ask, dice));
            }
        }
        if (first.manner == Ask.Manner.GOES_AWAY) {
            return List.of(leave(on, first, out.toByteArray(), dice));
        }
        boolean written = write(on, out.toByteArray());
        if (!written) {
            // a body that is still on its way would be in the way of the next request
            wire = null;
        }
        if (first.manner == Ask.Manner.HALF_CLOSED && written && !first.expects) {
            on.socket.shutdownOutput();
        }
        return read(on, asks, dice);
    }

    /** What is large is written beside the reading, for its answer may come before its end. */
    private static boolean write(Wire on, byte[] bytes) throws IOException {
        if (bytes.length < 32_768) {
            try {
                on.writeInPieces(bytes);
                return true;
            } catch (IOException e) {
                // an answer may be there all the same
                return false;
            }
        }
        Thread.ofVirtual().start(() -> {
            try {
                on.writeInPieces(bytes);
            } catch (IOException e) {
                // the same
            }
        });
        return false;
    }

    /** Sends a plain request without a body, whose answer is to be received next. */
    void send(Ask ask, Dice dice) throws IOException {
        Wire on = wire;
        if (on == null) {
            on = connect(port, ask.who, dice, false);
            reused = false;
            wire = on;
        }
        ask.started = ledger.now();
        boolean _ = write(on, head(ask));
    }

    Answer receive(Ask ask, Dice dice) throws IOException {
        Wire on = wire;
        if (on == null) {
            throw new IOException("nothing was sent");
        }
        return read(on, List.of(ask), dice).getFirst();
    }

    private List<Answer> read(Wire on, List<Ask> asks, Dice dice) throws IOException {
        List<Answer> answers = new ArrayList<>();
        boolean open = true;
        for (Ask ask : asks) {
            Answer answer = new Answer();
            answer.reused = reused;
            if (open) {
                open = read(on, ask, answer, dice);
                answer.how += reused ? ", behind " + before : "";
                before = "#" + ask.id + " " + ask.method + " " + ask.target.key()
                        + (ask.body == null ? "" : " with a body") + " -> " + answer.status
                        + (ask.plan.early() ? " (early)" : "");
                reused = true;
            } else {
                answer.ends(Answer.End.NEVER_READ, "behind the last answer of the connection");
            }
            ask.whole = answer.end == Answer.End.WHOLE;
            ask.ended = ledger.now();
            answers.add(answer);
        }
        if (!open || wire == null) {
            on.close();
            wire = null;
        }
        return answers;
    }

    /** Reads one answer; whether the connection goes on. */
    static boolean read(Wire on, Ask ask, Answer into, Dice dice) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        try {
            return read(on, ask, into, body, dice);
        } catch (IOException e) {
            into.ends(Answer.End.CUT, e.toString());
            return false;
        } finally {
            into.body = body.toByteArray();
        }
    }

    private static boolean read(Wire on, Ask ask, Answer into, ByteArrayOutputStream body, Dice dice)
            throws IOException {
        boolean unsent = ask.expects;
        while (true) {
            String line = on.line();
            if (line == null) {
                into.ends(
                        Answer.End.CUT, into.interim.isEmpty() && !(ask.expects && !unsent) ? "no answer" : "only 1xx");
                return false;
            }
            if (!line.matches("HTTP/1\\.[01] [1-5]\\d\\d( .*)?")) {
                into.ends(Answer.End.CUT, "no HTTP: " + line);
                return false;
            }
            int status = Integer.parseInt(line.substring(9, 12));
            Map<String, String> fields = on.fields();
            if (status == 100 && unsent) {
                unsent = false;
                on.writeInPieces(body(ask, dice));
            } else if (status < 200) {
                into.interim.add(fields);
            } else {
                into.status = status;
                into.fields.putAll(fields);
                return content(on, ask, into, body) && !unsent;
            }
        }
    }

    private static boolean content(Wire on, Ask ask, Answer into, ByteArrayOutputStream body) throws IOException {
        boolean bodiless = ask.head() || into.status == 204 || into.status == 304;
        String length = into.field("content-length");
        boolean close = into.fields.getOrDefault("connection", "").contains("close");
        if (bodiless) {
            // nothing follows
        } else if (into.field("transfer-encoding") != null) {
            on.readChunks(body, into.trailers);
        } else if (length == null) {
            on.readAll(body);
            close = true;
        } else if (!on.read(Integer.parseInt(length), body)) {
            into.ends(Answer.End.CUT, "after " + body.size() + " of " + length);
            return false;
        }
        into.ends(Answer.End.WHOLE, "");
        return !close;
    }

    /** Sends some or all of it, reads a little or nothing, and is gone. */
    private Answer leave(Wire on, Ask ask, byte[] bytes, Dice dice) throws IOException {
        Answer answer = new Answer();
        answer.ends(Answer.End.LEFT, "");
        try {
            int count = dice.percent(30) ? 1 + dice.below(bytes.length) : bytes.length;
            on.writeInPieces(java.util.Arrays.copyOf(bytes, count));
            dice.pause(4_000);
            if (dice.percent(50) && count == bytes.length && !ask.expects) {
                on.read(1 + dice.below(3_000), new ByteArrayOutputStream());
            }
            if (dice.percent(60)) {
                on.reset();
            }
        } catch (IOException e) {
            // it was quicker
        } finally {
            on.close();
            ask.ended = ledger.now();
        }
        return answer;
    }

    static byte[] head(Ask ask) {
        Target t = ask.target;
        String host = ask.spelled && t.place() != Target.Place.FORWARD ? t.spelledHost() + ":80" : t.host();
        String path = ask.spelled ? t.spelledPath() : t.path();
        StringBuilder head = new StringBuilder(ask.method + " ");
        boolean absolute = t.place() == Target.Place.FORWARD || ask.scheme != null;
        String scheme = ask.scheme == null ? "http" : ask.scheme;
        head.append(absolute ? scheme + "://" + t.host() + path : path).append(" HTTP/1.1\r\n");
        head.append("Host: ").append(host).append("\r\n");
        fields(ask)
                .forEach((name, value) ->
                        head.append(name).append(": ").append(value).append("\r\n"));
        head.append("Connection: X-Hop")
                .append(ask.trailers ? ", TE\r\nTE: trailers" : "")
                .append("\r\nX-Hop: 1\r\n");
        byte[] body = ask.body == null ? null : Content.of(ask.body);
        if (body != null) {
            head.append(ask.chunked ? "Transfer-Encoding: chunked\r\n" : "Content-Length: " + body.length + "\r\n");
        }
        if (ask.expects) {
            head.append("Expect: 100-continue\r\n");
        }
        return Wire.bytes(head.append("\r\n").toString());
    }

    /** What both versions say alike. */
    static Map<String, String> fields(Ask ask) {
        Map<String, String> fields = new HashMap<>();
        fields.put("X-Ask", Long.toString(ask.id));
        fields.put("X-Lang", ask.language);
        if (ask.noneMatch != null) {
            fields.put("If-None-Match", Reply.quoted(ask.noneMatch));
        }
        if (ask.insists) {
            fields.put("Cache-Control", "no-cache");
        }
        for (String line : ask.fields) {
            int colon = line.indexOf(':');
            fields.put(line.substring(0, colon), line.substring(colon + 1).strip());
        }
        return fields;
    }

    static byte[] body(Ask ask, Dice dice) {
        if (ask.body == null) {
            return new byte[0];
        }
        byte[] body = Content.of(ask.body);
        return ask.chunked ? Wire.chunked(body, dice, "") : body;
    }

    @Override
    public void close() throws IOException {
        Wire old = wire;
        wire = null;
        if (old != null) {
            old.close();
        }
    }
}

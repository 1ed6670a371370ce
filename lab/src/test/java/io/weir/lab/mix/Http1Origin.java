package io.weir.lab.mix;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** One connection to an origin that speaks HTTP/1. Confined to its thread. */
final class Http1Origin {
    private final MixOrigin origin;
    private final Ledger ledger;
    private final Wire wire;
    private final Dice dice;
    private boolean proxied;
    private boolean tunnelled;

    Http1Origin(MixOrigin origin, Wire wire, Dice dice) {
        this.origin = origin;
        this.ledger = origin.ledger;
        this.wire = wire;
        this.dice = dice;
    }

    void serve() throws IOException {
        String line = wire.line();
        while (line != null && request(line)) {
            line = wire.line();
        }
    }

    private boolean request(String line) throws IOException {
        String[] words = line.split(" ", -1);
        Map<String, String> fields = wire.fields();
        if (words.length != 3 || !words[2].equals("HTTP/1.1")) {
            ledger.violation(Feature.CUTS, origin.name + " heard " + line + " " + fields);
            return false;
        }
        boolean direct = fields.containsKey("x-tunnel");
        proxied |= !direct;
        tunnelled |= direct;
        if (proxied && tunnelled) {
            ledger.violation(
                    Feature.TUNNELS,
                    origin.name + ": one connection for a tunnel and for requests: " + line + " " + fields);
        }
        long heard = ledger.now();
        Ask ask = origin.heard(words[0], fields.getOrDefault("host", ""), words[1], fields, direct);
        if (ask == null) {
            return false;
        }
        if (!ask.plan.early()) {
            body(ask, fields);
        }
        if (ask.plan.waits()) {
            dice.pause(8_000);
        }
        if (ask.meeting != null) {
            ask.meeting.heard();
        }
        Reply reply = Reply.to(ledger, origin.name, ask, heard, fields, ledger.arrivals(ask) > 1);
        return answer(ask, reply, !direct) && !ask.plan.early();
    }

    private void body(Ask ask, Map<String, String> fields) throws IOException {
        if (fields.getOrDefault("expect", "").equals("100-continue")) {
            wire.write(Wire.bytes("HTTP/1.1 100 Continue\r\n\r\n"));
        }
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        if (fields.containsKey("transfer-encoding")) {
            wire.readChunks(body, new HashMap<>());
        } else if (!wire.read(Integer.parseInt(fields.getOrDefault("content-length", "0")), body)) {
            return;
        }
        origin.body(ask, body.toByteArray());
    }

    /** Says it; whether the connection goes on. */
    private boolean answer(Ask ask, Reply reply, boolean interim) throws IOException {
        Plan plan = reply.plan;
        Plan.Trouble trouble = reply.sent.trouble();
        if (plan.interim() && interim) {
            wire.write(Wire.bytes("HTTP/1.1 103 Early Hints\r\nX-Made: " + reply.sent.number() + "\r\n\r\n"));
        }
        Plan.Framing framing =
                reply.headOnly && plan.framing() == Plan.Framing.CLOSE ? Plan.Framing.LENGTH : plan.framing();
        boolean ends = framing == Plan.Framing.CLOSE && reply.status != 304;
        boolean closes = ends || plan.early() || trouble == Plan.Trouble.SAID_CLOSE;
        byte[] head = reply.head(framing, closes);
        switch (trouble) {
            case NO_ANSWER -> {
                wire.reset();
                return false;
            }
            case CUT_HEAD -> {
                wire.write(Arrays.copyOf(head, 1 + dice.below(head.length - 1)));
                return false;
            }
            case NO_HTTP -> {
                wire.write(Wire.bytes("HTTP/1.1 2OO what is this\r\n\r\n"));
                return false;
            }
            default -> {
                byte[] body = body(reply, framing);
                if (ask.meeting != null) {
                    ask.meeting.ready();
                    // the two ways through the proxy are not equally long
                    dice.spin(ask.safe() ? 0 : 300);
                }
                wire(head, body, reply);
            }
        }
        drain(plan);
        return !closes && trouble != Plan.Trouble.SILENT_CLOSE && !trouble.fault();
    }

    private byte[] body(Reply reply, Plan.Framing framing) {
        if (reply.headOnly || reply.status == 304) {
            return new byte[0];
        }
        String trailer = reply.trailer();
        return framing == Plan.Framing.CHUNKS
                ? Wire.chunked(reply.body, dice, trailer.isEmpty() ? "" : trailer + "\r\n")
                : reply.body;
    }

    private void wire(byte[] head, byte[] body, Reply reply) throws IOException {
        switch (reply.sent.trouble()) {
            case CUT_BODY -> wire.writeInPieces(together(head, body, 1 + dice.below(body.length - 1)));
            case BAD_BODY -> wire.write(together(head, Wire.bytes("zz\r\n"), 4));
            case SURPLUS ->
                wire.write(together(head, together(body, surplus(), surplus().length), body.length + surplus().length));
            default -> wire.writeInPieces(together(head, body, body.length));
        }
    }

    /** An answer of which the ledger knows that it is for nobody. */
    private static byte[] surplus() {
        return Wire.bytes(
                "HTTP/1.1 200 OK\r\nX-Made: 0\r\nCache-Control: max-age=600\r\nContent-Length: 7\r\n\r\nsurplus");
    }

    private static byte[] together(byte[] first, byte[] second, int count) {
        byte[] all = Arrays.copyOf(first, first.length + count);
        System.arraycopy(second, 0, all, first.length, count);
        return all;
    }

    /** Who answered before it read must read what is still sent, or its close would take the answer along. */
    private void drain(Plan plan) throws IOException {
        if (plan.early()) {
            wire.socket.shutdownOutput();
            wire.readAll(new ByteArrayOutputStream());
        }
    }
}

package io.weir.lab.mix;

import java.io.IOException;

/** A client that asks an origin through a tunnel. Confined to its customer's thread; lives for one request. */
final class Tunnel {
    private final int port;
    private final Ledger ledger;
    private final Ask ask;
    private final Dice dice;

    Tunnel(int port, Ledger ledger, Ask ask, Dice dice) {
        this.port = port;
        this.ledger = ledger;
        this.ask = ask;
        this.dice = dice;
    }

    /** The answer of the origin, or of the proxy to CONNECT. */
    Answer ask() throws IOException {
        Answer answer = new Answer();
        try (Wire wire = Http1Client.connect(port, ask.who, dice, false)) {
            ask.started = ledger.now();
            String to = ask.target.host();
            wire.writeInPieces(Wire.bytes("CONNECT " + to + " HTTP/1.1\r\nHost: " + to + "\r\n\r\n"));
            String line = wire.line();
            if (line == null) {
                answer.ends(Answer.End.CUT, "no answer to CONNECT");
            } else if (!line.startsWith("HTTP/1.1 200")) {
                answer.status = Integer.parseInt(line.substring(9, 12));
                answer.fields.putAll(wire.fields());
                answer.ends(Answer.End.WHOLE, "refused");
            } else {
                wire.fields();
                through(wire, answer);
            }
        } catch (IOException e) {
            answer.ends(Answer.End.CUT, "within a tunnel: " + e);
        } finally {
            ask.whole = answer.end == Answer.End.WHOLE;
            ask.ended = ledger.now();
        }
        return answer;
    }

    private void through(Wire wire, Answer answer) throws IOException {
        String head = new String(Http1Client.head(ask), java.nio.charset.StandardCharsets.ISO_8859_1)
                .replaceFirst(" http://[^/]*", " ")
                .replaceFirst("Connection: [^\r]*\r\n(TE: trailers\r\n)?X-Hop: 1\r\n", "X-Tunnel: 1\r\n");
        wire.writeInPieces(Wire.bytes(head));
        if (dice.percent(30, Feature.HALF_CLOSE)) {
            wire.socket.shutdownOutput();
        }
        Http1Client.read(wire, ask, answer, dice);
        if (ask.plan.trouble().fault()) {
            // what the origin broke is broken here, too
            answer.ends(Answer.End.LEFT, "the origin failed");
        }
    }
}

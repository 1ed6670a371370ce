package io.weir.lab.scenario;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A scripted client or origin: interprets the commands of its block, one connection at a time. Confined to its thread.
 */
final class Actor {
    private final String name;
    private final ActorStage stage;
    private final @Nullable ServerSocket listening;
    private final Map<String, String> variables;
    private final Map<String, Wire> parked = new HashMap<>();
    private final Deque<String> methods = new ArrayDeque<>();
    private @Nullable Wire wire;
    private @Nullable ScenarioMessage message;

    Actor(String name, ActorStage stage, @Nullable ServerSocket listening, Map<String, String> extra) {
        this.name = name;
        this.stage = stage;
        this.listening = listening;
        this.variables = new HashMap<>(extra);
    }

    /** Plays a block; a failure names the line. */
    void play(Iterable<Line> lines) {
        for (Line line : lines) {
            try {
                command(line);
            } catch (ScenarioFailure | IOException | NumberFormatException e) {
                if (e instanceof ScenarioFailure f
                        && f.getMessage() != null
                        && f.getMessage().startsWith("line ")) {
                    throw f;
                }
                throw new ScenarioFailure(
                        "line " + line.number() + ": " + name + ": `" + line.text() + "`: " + e.getMessage(), e);
            }
        }
    }

    void closeAll() {
        parked.values().forEach(this::closeQuietly);
        if (wire != null) {
            closeQuietly(wire);
        }
    }

    private void closeQuietly(Wire w) {
        try {
            w.close();
        } catch (IOException e) {
            w.note("close: " + e.getMessage());
        }
    }

    private void command(Line line) throws IOException {
        String rest = stage.fill(line.rest(), variables);
        switch (line.word()) {
            case "connect" -> connect(rest);
            case "accept" -> accept(rest);
            case "tls" -> secure(rest);
            case "park" -> park(rest);
            case "resume" -> resume(rest);
            case "signal" -> stage.signal(name, rest);
            case "await" -> stage.await(rest);
            case "until" -> stage.until(rest);
            case "counter" -> stage.counter(rest);
            case "repeat" -> repeat(line, rest);
            default -> {
                if (!sending(line.word(), rest) && !expecting(line.word(), rest)) {
                    throw new ScenarioFailure("unknown command");
                }
            }
        }
    }

    private boolean sending(String word, String rest) throws IOException {
        switch (word) {
            case "send" -> wire().send(Text.bytes(rest));
            case "line" -> wire().send(Text.bytes(rest + "\\r\\n"));
            case "head" -> head(rest);
            case "answer" -> wire().send(MessageNotation.answer(rest));
            case "dribble" -> dribble(Text.bytes(rest));
            case "fill" -> wire().sendPattern(0, Text.count(rest));
            case "chunk" -> wire().send(MessageNotation.chunk(Text.bytes(rest)));
            case "chunk-fill" -> chunkFill(rest.split("\\s+", -1));
            case "last-chunk" -> wire().send(MessageNotation.lastChunk(rest));
            case "pour" -> pour(Text.count(rest));
            case "half-close" -> wire().halfClose();
            case "close" -> wire().close();
            case "reset" -> wire().reset();
            default -> {
                return false;
            }
        }
        return true;
    }

    private boolean expecting(String word, String rest) throws IOException {
        switch (word) {
            case "request" -> request(rest);
            case "response" -> response(rest);
            case "start" -> startLine(rest);
            case "header" -> Checks.header(message(), rest);
            case "trailer" -> Checks.trailer(message(), rest);
            case "body" -> Checks.body(message(), rest);
            case "framing" -> Checks.framing(message(), rest);
            case "raw" -> raw(rest);
            case "eof" -> Checks.compare("end", end(), "=", "eof");
            case "closed" -> Checks.compare("end", end(), "~", "^(eof|reset)$");
            case "cut" -> cut();
            case "quiet" -> Checks.demand(!wire().bytesWaiting(), "bytes came where none were expected");
            case "drained" -> drain();
            case "take-fill" -> takeFill(Text.count(rest));
            case "peer" -> peer(rest);
            case "save" -> save(rest);
            default -> {
                return false;
            }
        }
        return true;
    }

    private void connect(String rest) throws IOException {
        String[] words = rest.split("\\s+", -1);
        Map<String, String> options = options(words);
        Socket socket = new Socket();
        if (options.containsKey("rcvbuf")) {
            socket.setReceiveBufferSize((int) Text.count(options.getOrDefault("rcvbuf", "0")));
        }
        if (options.containsKey("from")) {
            socket.bind(new InetSocketAddress(options.get("from"), 0));
        }
        int port = words[0].matches("\\d+") ? Integer.parseInt(words[0]) : stage.port(words[0]);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), stage.patienceMillis());
        begin(socket);
        if (options.containsKey("tls-fails")) {
            failedHandshake(stage.certificates().client(options));
        } else if (options.containsKey("tls")) {
            wire().secure(stage.certificates().client(options));
        }
    }

    private void accept(String rest) throws IOException {
        if (listening == null) {
            throw new ScenarioFailure("a client does not accept");
        }
        Map<String, String> options = options(rest.split("\\s+", -1));
        if (options.containsKey("rcvbuf")) {
            listening.setReceiveBufferSize((int) Text.count(options.getOrDefault("rcvbuf", "0")));
        }
        listening.setSoTimeout(stage.patienceMillis());
        try {
            begin(listening.accept());
        } catch (SocketTimeoutException e) {
            throw new ScenarioFailure("no connection came within " + stage.patienceMillis() + " ms", e);
        }
        if (options.containsKey("tls-fails")) {
            failedHandshake(stage.certificates().server(options));
        } else if (options.containsKey("tls")) {
            wire().secure(stage.certificates().server(options));
        }
    }

    private void failedHandshake(Certificates.Handshake handshake) {
        try {
            wire().secure(handshake);
        } catch (IOException e) {
            wire().note("the handshake failed as expected: " + e.getMessage());
            return;
        }
        throw new ScenarioFailure("the TLS handshake succeeded");
    }

    private void begin(Socket socket) throws IOException {
        if (wire != null) {
            parked.put("previous " + parked.size(), wire);
        }
        methods.clear();
        message = null;
        wire = new Wire(name, stage.transcript(), socket, stage.patienceMillis());
        variables.put("local-port", String.valueOf(socket.getLocalPort()));
        variables.put("remote-port", String.valueOf(socket.getPort()));
    }

    private void park(String as) {
        parked.put(as, wire());
        wire = null;
    }

    private void resume(String as) {
        Wire found = parked.remove(as);
        if (found == null) {
            throw new ScenarioFailure("no parked connection `" + as + "`");
        }
        if (wire != null) {
            parked.put("previous " + parked.size(), wire);
        }
        wire = found;
    }

    private void secure(String rest) throws IOException {
        Map<String, String> options = options(rest.split("\\s+", -1));
        wire().secure(
                        listening == null
                                ? stage.certificates().client(options)
                                : stage.certificates().server(options));
    }

    private void repeat(Line line, String rest) {
        int times = (int) Text.count(rest);
        for (int i = 1; i <= times; i++) {
            variables.put("i", String.valueOf(i));
            play(line.children());
        }
    }

    private void head(String rest) throws IOException {
        methods.add(rest.split(" ", 2)[0]);
        wire().send(MessageNotation.head(rest));
    }

    private void dribble(byte[] bytes) throws IOException {
        for (byte b : bytes) {
            wire().send(new byte[] {b});
        }
    }

    private void chunkFill(String[] words) throws IOException {
        long total = Text.count(words[0]);
        long size = words.length > 1 ? Text.count(words[1]) : 4096;
        for (long done = 0; done < total; ) {
            long n = Math.min(size, total - done);
            wire().send(Text.bytes(Long.toHexString(n) + "\\r\\n"));
            wire().sendPattern(done, n);
            wire().send(Text.bytes("\\r\\n"));
            done += n;
        }
    }

    private String end() throws IOException {
        skipBody();
        return wire().end();
    }

    /** Reads a body that a script did not check, so that the next message is found. */
    private void skipBody() throws IOException {
        if (message != null) {
            message.body();
            message = null;
        }
    }

    /** The stream must end before the body does. */
    private void cut() throws IOException {
        try {
            message().body();
        } catch (java.net.SocketException e) {
            wire().note("< reset (" + e.getMessage() + ")");
            return;
        } catch (ScenarioFailure e) {
            Checks.compare("the body's end", e.getMessage(), "~", "stream ended");
            return;
        }
        throw new ScenarioFailure("the body came whole");
    }

    private void request(String rest) throws IOException {
        skipBody();
        ScenarioMessage read = ScenarioMessage.read(wire(), true, false);
        message = read;
        String[] words = read.start.split(" ", 3);
        variables.put("target", words.length > 1 ? words[1] : "");
        if (!rest.isEmpty()) {
            Checks.compare("request line", read.start, "=", rest);
        }
    }

    /** {@code response STATUS [bodyless]}: a status other than 1xx answers the oldest request sent with {@code head}. */
    private void response(String rest) throws IOException {
        skipBody();
        String[] words = rest.split("\\s+", -1);
        String method = methods.isEmpty() ? "" : methods.peek();
        boolean tunnel = method.equals("CONNECT") && words[0].startsWith("2");
        boolean bodyless = method.equals("HEAD") || tunnel || List.of(words).contains("bodyless");
        ScenarioMessage read = ScenarioMessage.read(wire(), false, bodyless);
        message = read;
        String status = ScenarioMessage.status(read.start);
        if (!status.startsWith("1") && !methods.isEmpty()) {
            methods.remove();
        }
        if (!words[0].equals("*")) {
            Checks.compare("status", status, "~", "^" + words[0] + "$");
        }
    }

    private void startLine(String rest) {
        String[] parts = rest.split("\\s+", 2);
        Checks.compare("start line", message().start, parts[0], parts[1]);
    }

    private void raw(String rest) throws IOException {
        message = null;
        byte[] expected = Text.bytes(rest);
        byte[] got = new byte[expected.length];
        int n = 0;
        while (n < got.length) {
            int read = wire().read(got, n, got.length - n);
            if (read < 0) {
                break;
            }
            n += read;
        }
        stage.transcript().bytes(name, "<", got, 0, n);
        if (!java.util.Arrays.equals(expected, 0, expected.length, got, 0, n)) {
            throw new ScenarioFailure("came `" + Text.show(got, 0, n, 500) + "`");
        }
    }

    /** Sends up to this many bytes; the peer may disconnect in the middle. */
    private void pour(long count) {
        try {
            wire().sendPattern(0, count);
        } catch (IOException e) {
            wire().note("> cut short: " + e.getMessage());
        }
    }

    /** Reads everything until the connection ends, by a close or by a reset. */
    private void drain() throws IOException {
        message = null;
        byte[] block = new byte[65536];
        long total = 0;
        try {
            for (int n = wire().read(block, 0, block.length); n >= 0; n = wire().read(block, 0, block.length)) {
                total += n;
            }
            wire().note("< eof after " + total);
        } catch (IOException e) {
            wire().note("< reset after " + total + " (" + e.getMessage() + ")");
        }
    }

    /** Reads bytes of a tunnel and compares them with the fill pattern. */
    private void takeFill(long count) throws IOException {
        message = null;
        Body read = Body.exactly(wire(), count);
        Checks.demand(read.pattern, "not the fill pattern");
    }

    /** Checks what the peer of a TLS connection negotiated or requested: {@code peer version|alpn|sni op value}. */
    private void peer(String rest) {
        String[] parts = rest.split("\\s+", 3);
        var tls = wire().tls();
        if (tls == null) {
            throw new ScenarioFailure("not a TLS connection");
        }
        String actual = switch (parts[0]) {
            case "alpn" -> tls.getApplicationProtocol();
            case "sni" -> Wire.nameAskedFor(tls);
            default -> tls.getSession().getProtocol();
        };
        Checks.compare(parts[0], actual, parts[1], parts.length > 2 ? parts[2] : "");
    }

    /** {@code save NAME header FIELD}: stores a received value as a placeholder for later commands of all actors. */
    private void save(String rest) {
        String[] parts = rest.split("\\s+", 3);
        String value = message().value(parts[2]);
        if (value == null) {
            throw new ScenarioFailure("header " + parts[2] + " is absent");
        }
        variables.put(parts[0], value);
        stage.share(parts[0], value);
    }

    private Wire wire() {
        if (wire == null) {
            throw new ScenarioFailure("not connected");
        }
        return wire;
    }

    private ScenarioMessage message() {
        if (message == null) {
            throw new ScenarioFailure("nothing was received yet");
        }
        return message;
    }

    private static Map<String, String> options(String[] words) {
        Map<String, String> options = new HashMap<>();
        for (String word : words) {
            int equals = word.indexOf('=');
            options.put(equals < 0 ? word : word.substring(0, equals), equals < 0 ? "" : word.substring(equals + 1));
        }
        return options;
    }
}

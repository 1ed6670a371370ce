package io.weir.lab.scenario;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * A received body: its beginning is kept; all of it is counted, hashed and compared with the fill pattern. Immutable
 * once read.
 */
final class Body {
    private static final int KEPT = 1 << 20;
    static final Body EMPTY = new Reader().finish(List.of());

    final byte[] kept;
    final long size;
    final String sha256;
    final boolean pattern;
    final List<ScenarioMessage.Field> trailers;

    private Body(Reader reader, List<ScenarioMessage.Field> trailers) {
        this.kept = reader.kept.toByteArray();
        this.size = reader.size;
        this.sha256 = HexFormat.of().formatHex(reader.digest.digest());
        this.pattern = reader.pattern;
        this.trailers = List.copyOf(trailers);
    }

    static Body exactly(Wire wire, long length) throws IOException {
        Reader reader = new Reader();
        reader.take(wire, length);
        wire.note("< body of " + length + ": " + reader.shown());
        return reader.finish(List.of());
    }

    static Body untilEnd(Wire wire) throws IOException {
        Reader reader = new Reader();
        byte[] block = new byte[65536];
        int n;
        while ((n = wire.read(block, 0, block.length)) >= 0) {
            reader.add(block, n);
        }
        wire.note("< body until the end: " + reader.shown());
        return reader.finish(List.of());
    }

    /** Reads chunks strictly: hexadecimal size, optional extension, CRLF after each chunk's data, trailers. */
    static Body chunked(Wire wire) throws IOException {
        Reader reader = new Reader();
        for (long size = chunkSize(wire); size > 0; size = chunkSize(wire)) {
            reader.take(wire, size);
            String end = wire.line();
            if (end == null || !end.isEmpty()) {
                throw new ScenarioFailure("no CRLF after a chunk of " + size);
            }
        }
        List<ScenarioMessage.Field> trailers = new ArrayList<>();
        for (String line = wire.line(); line != null && !line.isEmpty(); line = wire.line()) {
            trailers.add(ScenarioMessage.field(line));
        }
        wire.note("< chunked body: " + reader.shown());
        return reader.finish(trailers);
    }

    private static long chunkSize(Wire wire) throws IOException {
        String line = wire.line();
        if (line == null) {
            throw new ScenarioFailure("the stream ended where a chunk was expected");
        }
        int semicolon = line.indexOf(';');
        String size = semicolon < 0 ? line : line.substring(0, semicolon);
        if (!size.matches("[0-9a-fA-F]{1,15}")) {
            throw new ScenarioFailure("not a chunk size: " + line);
        }
        return Long.parseLong(size, 16);
    }

    /** Accumulates what is read. Confined to its actor. */
    private static final class Reader {
        private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
        private final MessageDigest digest = sha256();
        private long size;
        private boolean pattern = true;

        void take(Wire wire, long length) throws IOException {
            byte[] block = new byte[65536];
            for (long left = length; left > 0; ) {
                int n = wire.read(block, 0, (int) Math.min(block.length, left));
                if (n < 0) {
                    throw new ScenarioFailure("the stream ended " + left + " bytes before the end of " + length
                            + " body bytes: " + shown());
                }
                add(block, n);
                left -= n;
            }
        }

        void add(byte[] block, int n) {
            for (int i = 0; i < n && pattern; i++) {
                pattern = block[i] == Text.pattern(size + i);
            }
            kept.write(block, 0, (int) Math.min(n, Math.max(0, KEPT - size)));
            digest.update(block, 0, n);
            size += n;
        }

        String shown() {
            byte[] bytes = kept.toByteArray();
            return Text.show(bytes, 0, bytes.length, 2000) + " (" + size + " bytes)";
        }

        Body finish(List<ScenarioMessage.Field> trailers) {
            return new Body(this, trailers);
        }

        private static MessageDigest sha256() {
            try {
                return MessageDigest.getInstance("SHA-256");
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}

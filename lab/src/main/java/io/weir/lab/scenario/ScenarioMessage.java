package io.weir.lab.scenario;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A received message: the head is read at once, the body on first access. Confined to its actor. */
final class ScenarioMessage {
    /** How the end of the body is determined. */
    enum Framing {
        NONE,
        LENGTH,
        CHUNKED,
        CLOSE
    }

    /** A header line as received. */
    record Field(String name, String value) {}

    private final Wire wire;
    final String start;
    final List<Field> fields;
    final Framing framing;
    private final long length;
    private @Nullable Body body;

    private ScenarioMessage(Wire wire, String start, List<Field> fields, boolean request, boolean bodyless) {
        this.wire = wire;
        this.start = start;
        this.fields = fields;
        String coding = value("Transfer-Encoding");
        String declared = value("Content-Length");
        this.length = declared == null ? -1 : Long.parseLong(declared.strip());
        if (bodyless) {
            framing = Framing.NONE;
        } else if (coding != null && coding.toLowerCase(Locale.ROOT).endsWith("chunked")) {
            framing = Framing.CHUNKED;
        } else if (length >= 0) {
            framing = Framing.LENGTH;
        } else {
            framing = request ? Framing.NONE : Framing.CLOSE;
        }
    }

    /**
     * Reads a head.
     *
     * @param request a request: without framing fields it has no body
     * @param bodyless never a body, whatever the fields are (answers to HEAD, 204, 304)
     */
    static ScenarioMessage read(Wire wire, boolean request, boolean bodyless) throws IOException {
        String start = wire.line();
        if (start == null) {
            throw new ScenarioFailure("the stream ended where a head was expected");
        }
        List<Field> fields = new ArrayList<>();
        for (String line = wire.line(); ; line = wire.line()) {
            if (line == null) {
                throw new ScenarioFailure("the stream ended inside a head");
            }
            if (line.isEmpty()) {
                break;
            }
            fields.add(field(line));
        }
        return new ScenarioMessage(wire, start, fields, request, bodyless || (!request && bodylessStatus(start)));
    }

    static Field field(String line) {
        int colon = line.indexOf(':');
        if (colon < 0) {
            throw new ScenarioFailure("a header line without a colon: " + line);
        }
        return new Field(line.substring(0, colon), line.substring(colon + 1).strip());
    }

    private static boolean bodylessStatus(String start) {
        String status = status(start);
        return status.startsWith("1") || status.equals("204") || status.equals("304");
    }

    static String status(String start) {
        String[] parts = start.split(" ", 3);
        return parts.length < 2 ? "" : parts[1];
    }

    /** The first value of a header, or null. */
    @Nullable
    String value(String name) {
        List<String> all = values(name);
        return all.isEmpty() ? null : all.getFirst();
    }

    List<String> values(String name) {
        return fields.stream()
                .filter(f -> f.name().equalsIgnoreCase(name))
                .map(Field::value)
                .toList();
    }

    /** Reads the body on the first call; later calls return the same. */
    Body body() throws IOException {
        Body read = body;
        if (read == null) {
            read = switch (framing) {
                case NONE -> Body.EMPTY;
                case LENGTH -> Body.exactly(wire, length);
                case CHUNKED -> Body.chunked(wire);
                case CLOSE -> Body.untilEnd(wire);
            };
            body = read;
        }
        return read;
    }
}

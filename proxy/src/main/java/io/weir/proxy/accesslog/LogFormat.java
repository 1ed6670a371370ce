package io.weir.proxy.accesslog;

import io.weir.base.Nearest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A compiled format: the seed's language of text and {@code %tokens%} (reference 5.5). Names between percent signs are
 * looked up in the exchange, {@code %%} is a percent sign, all else stands for itself; what an exchange does not know is
 * written {@code -}. Immutable.
 */
public final class LogFormat {
    static final String COMMON = "%Ses->client.ip% - %Req->vars.auth-user% [%SYSDATE%] \"%Req->reqpb.clf-request%\""
            + " %Req->srvhdrs.clf-status% %Req->srvhdrs.content-length%";
    static final String EXTENDED = COMMON + " %Req->vars.remote-status% %Req->vars.r2p-cl%"
            + " %Req->headers.content-length% %Req->vars.p2r-cl% %Req->vars.c2p-hl% %Req->vars.p2c-hl%"
            + " %Req->vars.p2r-hl% %Req->vars.r2p-hl% %Req->vars.xfer-time%";
    static final String EXTENDED_2 =
            EXTENDED + " %Req->vars.actual-route% %Req->vars.cli-status% %Req->vars.svr-status% %Req->vars.cch-status%";

    private static final Map<String, LogVariable> VARIABLES = variables();
    private static final byte[] MISSING = {'-'};

    private final String text;
    private final List<Part> parts;

    /** A piece of a record. */
    private sealed interface Part {
        /** Text of the format itself. */
        final class Literal implements Part {
            private final byte[] bytes;

            private Literal(String text) {
                this.bytes = text.getBytes(StandardCharsets.ISO_8859_1);
            }
        }

        /** The time: as the seed's SYSDATE, or seconds since the epoch. */
        record Time(boolean seconds) implements Part {}

        /** A value of the exchange; {@code quoted}: between the format's quotation marks. */
        record Value(Kind kind, @Nullable LogVariable variable, String name, boolean quoted) implements Part {}
    }

    private enum Kind {
        VARIABLE,
        REQUEST_FIELD,
        RESPONSE_FIELD,
        FUNCTION_VARIABLE
    }

    private LogFormat(String text, List<Part> parts) {
        this.text = text;
        this.parts = List.copyOf(parts);
    }

    private static Map<String, LogVariable> variables() {
        Map<String, LogVariable> map = new HashMap<>();
        for (LogVariable v : LogVariable.values()) {
            map.put(v.token(), v);
        }
        return Map.copyOf(map);
    }

    /**
     * The format of a configuration; null when that is off.
     *
     * @throws IllegalArgumentException saying what is wrong with a custom one, and where
     */
    public static @Nullable LogFormat of(AccessLogConfig config) {
        return switch (config.format()) {
            case OFF -> null;
            case COMMON -> parse(COMMON);
            case EXTENDED -> parse(EXTENDED);
            case EXTENDED_2 -> parse(EXTENDED_2);
            case CUSTOM -> {
                String custom = config.custom();
                if (custom == null || custom.isBlank()) {
                    throw new IllegalArgumentException("the format is custom: \"custom\" must say which");
                }
                yield parse(custom);
            }
        };
    }

    /** Compiles a format. @throws IllegalArgumentException saying what is wrong and where */
    public static LogFormat parse(String text) {
        List<Part> parts = new ArrayList<>();
        StringBuilder literal = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' || c > '~') {
                throw new IllegalArgumentException("a format holds printable ASCII only, not what is at " + i);
            }
            if (c != '%') {
                literal.append(c);
                quoted ^= c == '"';
                continue;
            }
            int end = text.indexOf('%', i + 1);
            if (end < 0) {
                throw new IllegalArgumentException("the token at " + i + " is not closed by a percent sign");
            }
            if (end == i + 1) {
                literal.append('%');
            } else {
                flush(literal, parts);
                parts.add(token(text.substring(i + 1, end), quoted, i));
            }
            i = end;
        }
        flush(literal, parts);
        return new LogFormat(text, parts);
    }

    private static void flush(StringBuilder literal, List<Part> parts) {
        if (!literal.isEmpty()) {
            parts.add(new Part.Literal(literal.toString()));
            literal.setLength(0);
        }
    }

    private static Part token(String name, boolean quoted, int at) {
        LogVariable variable = VARIABLES.get(name);
        if (variable != null) {
            return new Part.Value(Kind.VARIABLE, variable, name, quoted);
        }
        if (name.equals("SYSDATE") || name.equals("LOCALEDATE") || name.equals("TIME")) {
            return new Part.Time(name.equals("TIME"));
        }
        Part found = named(name, "Req->headers.", Kind.REQUEST_FIELD, quoted);
        found = found != null ? found : named(name, "Req->srvhdrs.", Kind.RESPONSE_FIELD, quoted);
        found = found != null ? found : named(name, "Req->vars.", Kind.FUNCTION_VARIABLE, quoted);
        if (found == null) {
            String nearest = Nearest.of(name, VARIABLES.keySet());
            throw new IllegalArgumentException("unknown token \"%" + name + "%\" at " + at
                    + (nearest == null ? "" : "; did you mean \"%" + nearest + "%\"?"));
        }
        return found;
    }

    private static @Nullable Part named(String token, String prefix, Kind kind, boolean quoted) {
        String name = token.startsWith(prefix) ? token.substring(prefix.length()) : "";
        return name.matches("[A-Za-z0-9_-]{1,64}")
                ? new Part.Value(kind, null, name.toLowerCase(Locale.ROOT), quoted)
                : null;
    }

    /** The first line of a file: {@code format=…}. */
    public String firstLine() {
        return "format=" + text;
    }

    /** Writes a record without its line's end. */
    void write(LogSource source, LogClock clock, LogText out) {
        for (int i = 0; i < parts.size(); i++) {
            switch (parts.get(i)) {
                case Part.Literal literal -> out.literal(literal.bytes);
                case Part.Time time -> clock.write(time.seconds(), out);
                case Part.Value value -> {
                    int before = out.length();
                    out.quoted(value.quoted());
                    value(value, source, out);
                    if (out.length() == before) {
                        out.literal(MISSING);
                    }
                }
            }
        }
    }

    private static void value(Part.Value value, LogSource source, LogText out) {
        switch (value.kind()) {
            case VARIABLE -> {
                LogVariable variable = value.variable();
                if (variable != null) {
                    source.logValue(variable, out);
                }
            }
            case REQUEST_FIELD -> source.logRequestField(value.name(), out);
            case RESPONSE_FIELD -> source.logResponseField(value.name(), out);
            case FUNCTION_VARIABLE -> source.logVariable(value.name(), out);
        }
    }
}

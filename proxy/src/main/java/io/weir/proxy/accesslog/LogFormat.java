package io.weir.proxy.accesslog;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A compiled format: the Sun proxy's language of text and {@code %tokens%}. Names between percent signs are looked up
 * in the exchange, {@code %%} is a percent sign, {@code $name} one of Web Server 7's variables, everything else is
 * literal; unknown values are written as {@code -}. Immutable.
 */
public final class LogFormat implements RecordFormat {
    static final String COMMON = "%Ses->client.ip% - %Req->vars.auth-user% [%SYSDATE%] \"%Req->reqpb.clf-request%\""
            + " %Req->srvhdrs.clf-status% %Req->srvhdrs.content-length%";
    static final String EXTENDED = COMMON + " %Req->vars.remote-status% %Req->vars.r2p-cl%"
            + " %Req->headers.content-length% %Req->vars.p2r-cl% %Req->vars.c2p-hl% %Req->vars.p2c-hl%"
            + " %Req->vars.p2r-hl% %Req->vars.r2p-hl% %Req->vars.xfer-time%";
    static final String EXTENDED_2 =
            EXTENDED + " %Req->vars.actual-route% %Req->vars.cli-status% %Req->vars.svr-status% %Req->vars.cch-status%";

    /** The Sun servers' record of a client: nothing follows its User-Agent, so that blanks may stand in it. */
    static final LogFormat USER_AGENT = new LogFormat(
            "%Ses->client.ip% %Req->headers.user-agent%",
            List.of(
                    new Part.Value(Kind.VARIABLE, LogVariable.CLIENT_IP, LogVariable.CLIENT_IP.token(), false),
                    new Part.Literal(" "),
                    new Part.Value(Kind.REQUEST_FIELD, null, "user-agent", true)));

    private static final byte[] MISSING = {'-'};

    private final String text;
    private final List<Part> parts;

    /** A piece of a record. */
    sealed interface Part {
        /** Literal text of the format. */
        final class Literal implements Part {
            private final String text;
            private final byte[] bytes;

            Literal(String text) {
                this.text = text;
                this.bytes = text.getBytes(StandardCharsets.ISO_8859_1);
            }

            String text() {
                return text;
            }
        }

        /** The time. */
        record Time(LogClock.Form form) implements Part {}

        /** The length of the record in bytes, including the line end, as five digits. */
        record Size() implements Part {}

        /** A value of the exchange; {@code quoted}: between the format's quotation marks. */
        record Value(Kind kind, @Nullable LogVariable variable, String name, boolean quoted) implements Part {}
    }

    /** The kind of a value. */
    enum Kind {
        VARIABLE,
        REQUEST_FIELD,
        COOKIE,
        RESPONSE_FIELD,
        FUNCTION_VARIABLE
    }

    LogFormat(String text, List<Part> parts) {
        this.text = text;
        this.parts = List.copyOf(parts);
    }

    /**
     * The format of a configuration; null if it is off or not a text format.
     *
     * @throws IllegalArgumentException saying what is wrong with a custom one, and where
     */
    public static @Nullable LogFormat of(AccessLogConfig config) {
        return switch (config.format()) {
            case OFF, JSON -> null;
            case COMMON -> parse(COMMON);
            case EXTENDED -> parse(EXTENDED);
            case EXTENDED_2 -> parse(EXTENDED_2);
            case CUSTOM -> {
                String custom = config.custom();
                if (custom == null || custom.isBlank()) {
                    throw new IllegalArgumentException("the format is custom: \"custom\" must contain it");
                }
                yield parse(custom);
            }
        };
    }

    /** Compiles a format. @throws IllegalArgumentException saying what is wrong and where */
    public static LogFormat parse(String text) {
        return new LogFormat(text, new FormatParser(text).parts());
    }

    @Override
    public String firstLine() {
        return "format=" + text;
    }

    /** The pieces of a record, in order. */
    List<Part> parts() {
        return parts;
    }

    @Override
    public void write(LogSource source, LogClock clock, RecordText out) {
        for (int i = 0; i < parts.size(); i++) {
            switch (parts.get(i)) {
                case Part.Literal literal -> out.literal(literal.bytes);
                case Part.Time time -> clock.write(time.form(), out);
                case Part.Size _ -> out.size();
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

    private static void value(Part.Value value, LogSource source, RecordText out) {
        switch (value.kind()) {
            case VARIABLE -> {
                LogVariable variable = value.variable();
                if (variable != null) {
                    source.logValue(variable, out);
                }
            }
            case REQUEST_FIELD -> source.logRequestField(value.name(), out);
            case COOKIE -> source.logCookie(value.name(), out);
            case RESPONSE_FIELD -> source.logResponseField(value.name(), out);
            case FUNCTION_VARIABLE -> source.logVariable(value.name(), out);
        }
    }
}

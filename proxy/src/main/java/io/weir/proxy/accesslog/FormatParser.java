package io.weir.proxy.accesslog;

import io.weir.base.Nearest;
import io.weir.proxy.accesslog.LogFormat.Kind;
import io.weir.proxy.accesslog.LogFormat.Part;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Parses a format's text once. Confined to its caller. */
final class FormatParser {
    private static final String COOKIE = "Req->headers.cookie.";
    private static final Map<String, LogVariable> VARIABLES = variables();
    /** Web Server 7's predefined variables, as far as an exchange has them. */
    private static final Map<String, String> DOLLARS = Map.ofEntries(
            Map.entry("ip", "Ses->client.ip"),
            Map.entry("dns", "Ses->client.dns"),
            Map.entry("method", "Req->reqpb.method"),
            Map.entry("uri", "Req->reqpb.uri"),
            Map.entry("query", "Req->reqpb.query"),
            Map.entry("protocol", "Req->reqpb.protocol"),
            Map.entry("code", "Req->srvhdrs.clf-status.code"),
            Map.entry("reason", "Req->srvhdrs.clf-status.reason"),
            Map.entry("auth_user", "Req->vars.auth-user"),
            Map.entry("id", "vsid"));

    private static final Map<String, String> DOLLAR_TABLES =
            Map.of("headers", "Req->headers.", "senthdrs", "Req->srvhdrs.", "cookie", COOKIE);

    private final String text;
    private final List<Part> parts = new ArrayList<>();
    private final StringBuilder literal = new StringBuilder();
    private boolean quoted;

    FormatParser(String text) {
        this.text = text;
    }

    private static Map<String, LogVariable> variables() {
        Map<String, LogVariable> map = new HashMap<>();
        for (LogVariable v : LogVariable.values()) {
            map.put(v.token(), v);
        }
        // parts of the request line and of the status that also have separate names
        map.put("Req->reqpb.clf-request.method", LogVariable.METHOD);
        map.put("Req->reqpb.clf-request.uri.abs_path", LogVariable.URI);
        map.put("Req->reqpb.clf-request.uri.query", LogVariable.QUERY);
        map.put("Req->reqpb.clf-request.protocol", LogVariable.PROTOCOL);
        map.put("Req->srvhdrs.clf-status.code", LogVariable.STATUS);
        return Map.copyOf(map);
    }

    /** The pieces. @throws IllegalArgumentException saying what is wrong and where */
    List<Part> parts() {
        int i = 0;
        while (i < text.length()) {
            char c = text.charAt(i);
            if (c < ' ' || c > '~') {
                throw new IllegalArgumentException("a format holds printable ASCII only, not what is at " + i);
            }
            if (c == '%') {
                i = percent(i);
            } else if (c == '$') {
                i = dollar(i);
            } else {
                literal.append(c);
                quoted ^= c == '"';
                i++;
            }
        }
        flush();
        return parts;
    }

    private int percent(int at) {
        int end = text.indexOf('%', at + 1);
        if (end < 0) {
            throw new IllegalArgumentException("the token at " + at + " is not closed by a percent sign");
        }
        if (end == at + 1) {
            literal.append('%');
        } else {
            flush();
            parts.add(token(text.substring(at + 1, end), at));
        }
        return end + 1;
    }

    /** {@code $$}, {@code $name} or {@code $table{name}}; a dollar sign before anything else is literal. */
    private int dollar(int at) {
        int end = at + 1;
        while (end < text.length() && (Character.isLetter(text.charAt(end)) || text.charAt(end) == '_')) {
            end++;
        }
        if (end == at + 1) {
            literal.append('$');
            return end < text.length() && text.charAt(end) == '$' ? end + 1 : end;
        }
        String name = text.substring(at + 1, end);
        String table = DOLLAR_TABLES.get(name);
        int close = table != null && text.startsWith("{", end) ? text.indexOf('}', end) : -1;
        String token = close < 0 ? DOLLARS.get(name) : table + text.substring(end + 1, close);
        if (token == null) {
            throw new IllegalArgumentException("unknown variable \"$" + name + "\" at " + at);
        }
        flush();
        parts.add(token(token, at));
        return close < 0 ? end : close + 1;
    }

    private void flush() {
        if (!literal.isEmpty()) {
            parts.add(new Part.Literal(literal.toString()));
            literal.setLength(0);
        }
    }

    private Part token(String name, int at) {
        LogVariable variable = VARIABLES.get(name);
        if (variable != null) {
            return new Part.Value(Kind.VARIABLE, variable, name, quoted);
        }
        return switch (name) {
            case "SYSDATE" -> new Part.Time(LogClock.Form.SYSDATE);
            case "LOCALEDATE" -> new Part.Time(LogClock.Form.LOCALEDATE);
            case "TIME" -> new Part.Time(LogClock.Form.TIME);
            case "RELATIVETIME" -> new Part.Time(LogClock.Form.RELATIVETIME);
            case "RECORD_SIZE" -> new Part.Size();
            default -> looked(name, at);
        };
    }

    private Part looked(String name, int at) {
        Part found = named(name, "Req->headers.", Kind.REQUEST_FIELD);
        found = found != null ? found : cookie(name);
        found = found != null ? found : named(name, "Req->srvhdrs.", Kind.RESPONSE_FIELD);
        found = found != null ? found : named(name, "Req->vars.", Kind.FUNCTION_VARIABLE);
        if (found == null) {
            String nearest = Nearest.of(name, VARIABLES.keySet());
            throw new IllegalArgumentException("unknown token \"%" + name + "%\" at " + at
                    + (nearest == null ? "" : "; did you mean \"%" + nearest + "%\"?"));
        }
        return found;
    }

    private @Nullable Part named(String token, String prefix, Kind kind) {
        String name = token.startsWith(prefix) ? token.substring(prefix.length()) : "";
        return name.matches("[A-Za-z0-9_-]{1,64}")
                ? new Part.Value(kind, null, name.toLowerCase(Locale.ROOT), quoted)
                : null;
    }

    /** Names of cookies are case-sensitive. */
    private @Nullable Part cookie(String token) {
        String name = token.startsWith(COOKIE) ? token.substring(COOKIE.length()) : "";
        return name.matches("[!#&'*+.^_`|~0-9A-Za-z-]{1,64}") ? new Part.Value(Kind.COOKIE, null, name, quoted) : null;
    }
}

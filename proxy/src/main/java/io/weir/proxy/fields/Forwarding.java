package io.weir.proxy.fields;

import io.weir.http.FieldName;
import io.weir.http.FieldNames;
import io.weir.http.Fields;
import io.weir.http.RequestHead;
import io.weir.http.semantics.FieldScanner;
import io.weir.http.semantics.HostPort;
import io.weir.proxy.program.config.ForwardedMode;
import io.weir.proxy.program.run.ProgramRun;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The fields in which a proxy forwards a request's original client, scheme, host, port and path. Origins trust them, so
 * they are accepted from trusted peers only, in any spelling: a receiver that maps fields to variables (CGI) does not
 * distinguish {@code _} from {@code -}. Stateless.
 */
public final class Forwarding {
    private static final FieldNames KNOWN = FieldNames.of(
            FieldName.FORWARDED,
            FieldName.X_FORWARDED_FOR,
            FieldName.X_FORWARDED_HOST,
            FieldName.X_FORWARDED_PORT,
            FieldName.X_FORWARDED_PROTO,
            FieldName.X_REAL_IP,
            FieldName.CLIENT_IP,
            FieldName.CLIENT_CERT,
            FieldName.CLIENT_CERT_CHAIN);

    private static final byte[] X_FORWARDED = ascii("x-forwarded");
    /** The fields of WebLogic's web server plug-ins. */
    private static final byte[] WL_PROXY = ascii("wl-proxy-");

    /** By length, for look-ups without creating a string. */
    private static final byte[][][] OTHERS = byLength(
            // the requested resource
            "host-override",
            "x-backend-host",
            "x-base-url",
            "x-host",
            "x-host-override",
            "x-http-host-override",
            "x-http-url",
            "x-original-host",
            "x-original-method",
            "x-original-path",
            "x-original-proto",
            "x-original-scheme",
            "x-original-uri",
            "x-original-url",
            "x-rewrite-url",
            "x-scheme",
            "x-script-name",
            "x-url-scheme",
            "x-wap-original-url",
            "cf-visitor",
            "cloudfront-forwarded-proto",
            "fastly-ssl",
            "front-end-https",
            "x-arr-ssl",
            "x-envoy-original-host",
            "x-envoy-original-path",
            // the client
            "ali-cdn-real-ip",
            "cdn-src-ip",
            "cf-connecting-ip",
            "cf-connecting-ipv6",
            "client-ip",
            "fastly-client-ip",
            "forwarded-for",
            "incap-client-ip",
            "proxy-client-ip",
            "true-client-ip",
            "x-appengine-user-ip",
            "x-azure-clientip",
            "x-client-ip",
            "x-cluster-client-ip",
            "x-custom-ip-authorization",
            "x-envoy-external-address",
            "x-original-forwarded-for",
            "x-original-remote-addr",
            "x-originating-ip",
            "x-proxyuser-ip",
            "x-real-ip",
            "x-real-port",
            "x-remote-addr",
            "x-remote-ip",
            "x-sucuri-clientip",
            "x-true-client-ip",
            // the client's TLS
            "client-cert",
            "client-cert-chain",
            "proxy-auth-cert",
            "proxy-cipher",
            "proxy-issuer-dn",
            "proxy-keysize",
            "proxy-secret-keysize",
            "proxy-ssl-id",
            "proxy-user-dn",
            "x-arr-clientcert",
            "x-ssl-client-cert",
            // becomes the variable from which programs take their own proxy (CVE-2016-5385)
            "proxy");

    private static final byte[][][] METHODS = byLength("x-http-method", "x-http-method-override", "x-method-override");

    /** Those that identify another resource than the request does. */
    private static final List<String> ELSEWHERE = List.of(
            "x-forwarded-path",
            "x-forwarded-prefix",
            "x-forwarded-uri",
            "x-original-path",
            "x-original-uri",
            "x-original-url",
            "x-rewrite-url",
            "x-envoy-original-path");

    private static final List<String> HOSTS =
            List.of("x-forwarded-host", "x-host", "x-http-host-override", "x-original-host", "x-envoy-original-host");

    private static final List<String> SCHEMES =
            List.of("x-forwarded-proto", "x-forwarded-scheme", "x-original-proto", "x-scheme", "x-url-scheme");

    private Forwarding() {}

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[][][] byLength(String... names) {
        List<List<byte[]>> lists = new ArrayList<>();
        for (String name : names) {
            while (lists.size() <= name.length()) {
                lists.add(new ArrayList<>());
            }
            lists.get(name.length()).add(ascii(name));
        }
        return lists.stream().map(l -> l.toArray(byte[][]::new)).toArray(byte[][][]::new);
    }

    /** Whether field {@code i} is one of these. Allocates nothing. */
    public static boolean names(Fields fields, int i) {
        FieldName id = fields.id(i);
        if (id != null) {
            return KNOWN.contains(id);
        }
        byte[] bytes = fields.bytes();
        int from = fields.nameStart(i);
        int length = fields.nameEnd(i) - from;
        if (length >= X_FORWARDED.length && spells(X_FORWARDED, bytes, from)) {
            return length == X_FORWARDED.length || mark(bytes[from + X_FORWARDED.length]) == '-';
        }
        if (length >= WL_PROXY.length && spells(WL_PROXY, bytes, from)) {
            return true;
        }
        return isOneOf(OTHERS, bytes, from, length);
    }

    /**
     * Whether field {@code i} overrides the method of a request. Applications apply it to a POST; with a safe method it
     * would change something behind the store's back.
     */
    public static boolean overrides(Fields fields, int i) {
        int from = fields.nameStart(i);
        return fields.id(i) == null && isOneOf(METHODS, fields.bytes(), from, fields.nameEnd(i) - from);
    }

    private static boolean isOneOf(byte[][][] names, byte[] bytes, int from, int length) {
        if (length < names.length) {
            for (byte[] name : names[length]) {
                if (spells(name, bytes, from)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean spells(byte[] name, byte[] bytes, int from) {
        for (int i = 0; i < name.length; i++) {
            if (mark(bytes[from + i]) != name[i]) {
                return false;
            }
        }
        return true;
    }

    private static int mark(byte b) {
        if (b == '_' || b == '.') {
            return '-';
        }
        return b >= 'A' && b <= 'Z' ? b | 0x20 : b;
    }

    /**
     * Removes these fields.
     *
     * @param safe whether the method is safe, see {@link #overrides}
     */
    public static void removeFrom(Fields fields, boolean safe) {
        for (int i = fields.size() - 1; i >= 0; i--) {
            if (names(fields, i) || (safe && overrides(fields, i))) {
                fields.removeAt(i);
            }
        }
    }

    /**
     * Whether a trusted peer's request is for https: by its fields (X-Forwarded-Proto, else the first member of
     * Forwarded, else its target), else by its connection.
     */
    public static boolean https(RequestHead head, boolean secure) {
        Fields fields = head.fields();
        String value = fields.first(FieldName.X_FORWARDED_PROTO);
        if (value == null) {
            String list = fields.first(FieldName.FORWARDED);
            value = list == null ? null : parameter(list, "proto");
        }
        String first = value == null ? "" : value.split(",", 2)[0].strip();
        if (first.equalsIgnoreCase("https")) {
            return true;
        }
        return !first.equalsIgnoreCase("http") && (secure || head.namesHttps());
    }

    /** The value of the first parameter of this name in a list of Forwarded (RFC 7239 section 4), or null. */
    private static @Nullable String parameter(String list, String name) {
        List<String> all = parameters(list, name);
        return all.isEmpty() ? null : all.getFirst();
    }

    private static List<String> parameters(String list, String name) {
        List<String> found = new ArrayList<>();
        for (String pair : list.split("[;,]", -1)) {
            int equals = pair.indexOf('=');
            if (equals > 0 && pair.substring(0, equals).strip().equalsIgnoreCase(name)) {
                String value = pair.substring(equals + 1).strip();
                boolean quoted = value.length() > 1 && value.startsWith("\"") && value.endsWith("\"");
                found.add(quoted ? value.substring(1, value.length() - 1) : value);
            }
        }
        return found;
    }

    /**
     * Whether the scheme, host, port and path in a trusted peer's fields match the request itself. Otherwise the answer
     * may be for a resource that the key does not identify.
     */
    public static boolean agrees(Fields fields, ProgramRun run, ForwardedMode mode) {
        for (int i = 0; i < fields.size(); i++) {
            if (names(fields, i) && !agrees(fields, i, run, mode)) {
                return false;
            }
        }
        return true;
    }

    private static boolean agrees(Fields fields, int i, ProgramRun run, ForwardedMode mode) {
        FieldName id = fields.id(i);
        if (id == FieldName.X_FORWARDED_FOR || id == FieldName.X_REAL_IP) {
            return true;
        }
        String value = fields.value(i).strip();
        if (id == FieldName.FORWARDED) {
            return mode == ForwardedMode.X_FORWARDED
                    || (FieldScanner.quotesClose(value)
                            && parameters(value, "host").stream().allMatch(run.authority()::equals)
                            && parameters(value, "proto").stream().allMatch(scheme(run)::equals));
        }
        if (mode != ForwardedMode.OFF && id == FieldName.X_FORWARDED_PROTO) {
            return true;
        }
        if (mode != ForwardedMode.OFF && id == FieldName.X_FORWARDED_HOST) {
            return mode == ForwardedMode.FORWARDED || isHost(value, run.authority(), run.https());
        }
        String name = fields.name(i).toLowerCase(Locale.ROOT).replace('_', '-');
        if (HOSTS.contains(name)) {
            return value.equals(run.authority());
        }
        if (SCHEMES.contains(name)) {
            return value.equals(scheme(run));
        }
        return switch (name) {
            case "x-forwarded-port" -> value.equals(Integer.toString(run.namedPort()));
            case "x-forwarded-ssl", "front-end-https" -> value.equals(run.https() ? "on" : "off");
            default -> !ELSEWHERE.contains(name);
        };
    }

    private static String scheme(ProgramRun run) {
        return run.https() ? "https" : "http";
    }

    /** Whether a trusted peer's value is the request's authority, in any spelling. */
    public static boolean isHost(String value, String authority, boolean https) {
        HostPort named = HostPort.parse(value);
        return named != null && named.without(https ? 443 : 80).text().equals(authority);
    }
}

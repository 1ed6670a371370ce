package io.weir.server.migrate.squid;

import io.weir.server.migrate.draft.Findings;
import io.weir.server.migrate.draft.Section;
import io.weir.server.migrate.squid.SquidParser.Directive;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** logformat and access_log as access logs. Stateless. */
final class SquidLogs {
    private static final Pattern TOKEN = Pattern.compile("%[\"'#/\\[-]?[0-9.]*(\\{([^}]*)})?([<>]?[A-Za-z_]+|%)");
    private static final String SQUID = "%ts.%03tu %6tr %>a %Ss/%03>Hs %<st %rm %ru %[un %Sh/%<a %mt";
    private static final Map<String, String> FORMATS = Map.of(
            "common", "%>a - %[un [%tl] \"%rm %ru HTTP/%rv\" %>Hs %<st",
            "combined", "%>a - %[un [%tl] \"%rm %ru HTTP/%rv\" %>Hs %<st \"%{Referer}>h\" \"%{User-Agent}>h\"");
    private static final Map<String, String> TOKENS = Map.ofEntries(
            Map.entry("%", "%%"),
            Map.entry(">a", "%Ses->client.ip%"),
            Map.entry("ts", "%TIME%"),
            Map.entry("tl", "%SYSDATE%"),
            Map.entry("tr", "%Req->vars.xfer-time-total%"),
            Map.entry("un", "%Req->vars.auth-user%"),
            Map.entry("ul", "%Req->vars.auth-user%"),
            Map.entry("rm", "%Req->reqpb.method%"),
            Map.entry(">rm", "%Req->reqpb.method%"),
            Map.entry("ru", "%Req->reqpb.clf-request.uri%"),
            Map.entry(">ru", "%Req->reqpb.clf-request.uri%"),
            Map.entry("rp", "%Req->reqpb.uri%"),
            Map.entry("rv", "%Req->reqpb.clf-request.protocol.version%"),
            Map.entry("Hs", "%Req->srvhdrs.clf-status%"),
            Map.entry(">Hs", "%Req->srvhdrs.clf-status%"),
            Map.entry("<Hs", "%Req->vars.remote-status%"),
            Map.entry("Ss", "%Req->vars.cch-status%"),
            Map.entry("Sh", "%Req->vars.actual-route%"),
            Map.entry("<st", "%Req->srvhdrs.content-length%"),
            Map.entry("mt", "%Req->srvhdrs.content-type%"));

    private SquidLogs() {}

    static void write(List<Directive> formats, List<Directive> logs, Section root, Findings findings) {
        Map<String, String> known = new HashMap<>(FORMATS);
        known.put("squid", SQUID);
        formats.forEach(f -> known.put(f.word(0), f.rest(1)));
        int n = 0;
        for (Directive d : logs) {
            String to = d.word(0).replaceFirst("^(stdio|daemon):", "");
            if (to.equals("none") || to.matches("(syslog|udp|tcp):.*")) {
                if (!to.equals("none")) {
                    findings.left(d.at(), d.text(), "access logs are files");
                }
                continue;
            }
            Section log = root.section(n++ == 0 ? "proxy.access-log" : "proxy.access-logs.log-" + n)
                    .from(d.at());
            String name = SquidListeners.option(d, "logformat=", "");
            List<String> rest = d.words().subList(1, d.words().size());
            if (name.isEmpty()) {
                name = rest.stream().filter(known::containsKey).findFirst().orElse("squid");
            }
            String used = name;
            if (rest.stream()
                    .anyMatch(w -> !w.contains("=")
                            && !w.equals(used)
                            && !Set.of("all").contains(w))) {
                findings.left(d.at(), d.text(), "a log records all exchanges, whatever acls say");
            }
            log.put("format", "custom")
                    .put("custom", tokens(known.getOrDefault(name, SQUID), d, findings))
                    .put("file", to);
        }
    }

    private static String tokens(String format, Directive d, Findings findings) {
        // the fraction of a second has no token of its own
        Matcher m = TOKEN.matcher(format.replace(".%03tu", ""));
        StringBuilder out = new StringBuilder();
        while (m.find()) {
            String token = m.group(3).equals(">h")
                            || m.group(3).equals("<h")
                            || m.group(3).equals("h")
                    ? field(m.group(2), m.group(3))
                    : TOKENS.get(m.group(3));
            if (token == null) {
                findings.left(d.at(), "logformat " + m.group(), "access logs have no such value; it is written as -");
                token = "-";
            }
            m.appendReplacement(out, Matcher.quoteReplacement(token));
        }
        return m.appendTail(out).toString();
    }

    private static String field(@org.jspecify.annotations.Nullable String name, String direction) {
        String part = direction.equals("<h") ? "srvhdrs" : "headers";
        return name == null ? "-" : "%Req->" + part + "." + name.toLowerCase(java.util.Locale.ROOT) + "%";
    }
}

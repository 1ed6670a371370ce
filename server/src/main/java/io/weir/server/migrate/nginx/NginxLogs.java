package io.weir.server.migrate.nginx;

import io.weir.server.migrate.draft.Findings;
import io.weir.server.migrate.draft.Section;
import io.weir.server.migrate.nginx.NginxParser.Directive;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** log_format and access_log as access logs. Confined to one migration. */
final class NginxLogs {
    private static final String COMBINED = "$remote_addr - $remote_user [$time_local] \"$request\" $status"
            + " $body_bytes_sent \"$http_referer\" \"$http_user_agent\"";
    private static final Pattern VARIABLE = Pattern.compile("\\$([a-z0-9_]+)");
    private static final Map<String, String> TOKENS = Map.ofEntries(
            Map.entry("remote_addr", "%Ses->client.ip%"),
            Map.entry("remote_user", "%Req->vars.auth-user%"),
            Map.entry("time_local", "%SYSDATE%"),
            Map.entry("msec", "%TIME%"),
            Map.entry("request", "%Req->reqpb.clf-request%"),
            Map.entry("request_method", "%Req->reqpb.method%"),
            Map.entry("request_uri", "%Req->reqpb.clf-request.uri%"),
            Map.entry("uri", "%Req->reqpb.uri%"),
            Map.entry("args", "%Req->reqpb.query%"),
            Map.entry("query_string", "%Req->reqpb.query%"),
            Map.entry("server_protocol", "%Req->reqpb.protocol%"),
            Map.entry("status", "%Req->srvhdrs.clf-status%"),
            Map.entry("body_bytes_sent", "%Req->srvhdrs.content-length%"),
            Map.entry("bytes_sent", "%Req->srvhdrs.content-length%"),
            Map.entry("host", "%Req->headers.host%"),
            Map.entry("server_name", "%vsid%"),
            Map.entry("request_time", "%duration%"),
            Map.entry("request_id", "%Req->vars.request-id%"),
            Map.entry("upstream_status", "%Req->vars.remote-status%"),
            Map.entry("upstream_cache_status", "%Req->vars.cch-status%"),
            Map.entry("upstream_addr", "%Req->vars.actual-route%"));

    private final Section root;
    private final Findings findings;
    private final Map<String, Directive> formats = new HashMap<>();

    NginxLogs(Section root, Findings findings, NginxScope http) {
        this.root = root;
        this.findings = findings;
        http.here("log_format").forEach(f -> formats.put(f.argument(0), f));
    }

    /** The logs of a block: those of http, or of a virtual server. */
    void of(NginxScope scope, @Nullable String virtualServer) {
        List<Directive> logs = scope.here("access_log");
        int n = 0;
        for (Directive d : logs) {
            if (d.argument(0).equals("off")) {
                continue;
            }
            n++;
            boolean global = virtualServer == null && n == 1;
            String name = (virtualServer == null ? "log" : virtualServer) + (n == 1 ? "" : "-" + n);
            Section log = root.section(global ? "proxy.access-log" : "proxy.access-logs");
            if (!global) {
                log = log.section(name.replaceAll("[^A-Za-z0-9_-]", "-"));
            }
            log.from(d.at());
            log.put("format", "custom");
            log.put("custom", format(d));
            log.put("file", d.argument(0));
            if (virtualServer != null) {
                log.put("virtual-servers", List.of(virtualServer));
            }
            for (String option : d.arguments()
                    .subList(Math.min(2, d.arguments().size()), d.arguments().size())) {
                if (option.startsWith("if=")) {
                    findings.left(d.at(), "access_log " + option, "a log records all exchanges, or some statuses");
                }
            }
        }
    }

    private String format(Directive log) {
        String name = log.arguments().size() < 2 || log.argument(1).contains("=") ? "combined" : log.argument(1);
        Directive format = formats.get(name);
        if (format == null && !name.equals("combined")) {
            findings.left(log.at(), "access_log " + name, "there is no such log_format; the combined one is used");
        }
        String text = COMBINED;
        if (format != null) {
            int from = format.argument(1).startsWith("escape=") ? 2 : 1;
            text = String.join(
                    "", format.arguments().subList(from, format.arguments().size()));
        }
        return tokens(text, format == null ? log : format);
    }

    private String tokens(String text, Directive at) {
        Matcher m = VARIABLE.matcher(text.replace("%", "%%"));
        StringBuilder out = new StringBuilder();
        while (m.find()) {
            m.appendReplacement(out, Matcher.quoteReplacement(token(m.group(1), at)));
        }
        return m.appendTail(out).toString();
    }

    private String token(String variable, Directive at) {
        String known = TOKENS.get(variable);
        if (variable.equals("request_time")) {
            findings.note(at.at(), "$request_time: %duration% is in microseconds");
        }
        if (known != null) {
            return known;
        }
        for (String kind : List.of("cookie_", "sent_http_", "upstream_http_", "http_")) {
            if (variable.startsWith(kind)) {
                String name = variable.substring(kind.length());
                return switch (kind) {
                    case "cookie_" -> "%Req->headers.cookie." + name + "%";
                    case "http_" -> "%Req->headers." + name.replace('_', '-').toLowerCase(Locale.ROOT) + "%";
                    default -> "%Req->srvhdrs." + name.replace('_', '-').toLowerCase(Locale.ROOT) + "%";
                };
            }
        }
        findings.left(at.at(), "log_format $" + variable, "access logs have no such value; it is written as -");
        return "-";
    }
}

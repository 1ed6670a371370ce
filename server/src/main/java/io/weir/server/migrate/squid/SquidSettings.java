package io.weir.server.migrate.squid;

import io.weir.server.migrate.draft.Findings;
import io.weir.server.migrate.draft.Section;
import io.weir.server.migrate.draft.YamlDraft;
import io.weir.server.migrate.squid.SquidParser.Directive;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Sizes, times and other values of a {@code squid.conf} as knobs. Confined to one migration.
 *
 */
final class SquidSettings {
    /** A knob with a time. */
    private record Time(String section, String key, long leastMillis, long mostMillis) {}

    /** A knob with a size. */
    private record Size(String section, String key, long least, long most) {}

    private static final Map<String, Time> TIMES = Map.ofEntries(
            Map.entry("connect_timeout", new Time("proxy.time-outs", "connect", 100, 300_000)),
            Map.entry("read_timeout", new Time("proxy.time-outs", "response-header", 100, 3_600_000)),
            Map.entry("dns_timeout", new Time("proxy.time-outs", "dns", 100, 300_000)),
            Map.entry("request_timeout", new Time("kernel.time-outs", "header", 100, 3_600_000)),
            Map.entry("write_timeout", new Time("kernel.time-outs", "write", 100, 3_600_000)),
            Map.entry("client_idle_pconn_timeout", new Time("kernel.keep-alive", "timeout", 0, 300_000)),
            Map.entry("persistent_request_timeout", new Time("kernel.keep-alive", "timeout", 0, 300_000)),
            Map.entry("server_idle_pconn_timeout", new Time("proxy.origin-pool", "idle-time-out", 0, 3_600_000)),
            Map.entry("pconn_timeout", new Time("proxy.origin-pool", "idle-time-out", 0, 3_600_000)),
            Map.entry("positive_dns_ttl", new Time("proxy.dns", "expire", 1000, 31_536_000_000L)),
            Map.entry("negative_dns_ttl", new Time("proxy.dns", "negative", 0, 3_600_000)),
            Map.entry("shutdown_lifetime", new Time("kernel", "drain-time-out", 0, 3_600_000)));
    private static final Map<String, Size> SIZES = Map.of(
            "cache_mem", new Size("cache", "memory-budget", 256 << 10, 1L << 40),
            "minimum_object_size", new Size("cache", "min-object-size", 0, 900L << 30),
            "request_body_max_size", new Size("proxy.limits", "request-body", 0, 1L << 50),
            "request_header_max_size", new Size("proxy.limits", "request-head", 1024, 256 << 10),
            "reply_header_max_size", new Size("proxy.limits", "response-head", 1024, 256 << 10));
    private final Section root;
    private final Findings findings;
    private Map<String, List<Directive>> directives = Map.of();

    SquidSettings(Section root, Findings findings) {
        this.root = root;
        this.findings = findings;
    }

    private List<Directive> take(String name) {
        List<Directive> found = directives.remove(name);
        return found == null ? List.of() : found;
    }

    /** Takes what it understands out of the directives. */
    void translate(Map<String, List<Directive>> all, SquidAcls acls) {
        directives = all;
        TIMES.forEach((name, t) -> take(name).forEach(d -> time(d, t)));
        SIZES.forEach((name, s) -> take(name).forEach(d -> size(d, s)));
        Section timeOuts = root.section("proxy.time-outs");
        if (timeOuts.has("response-header")) {
            timeOuts.put("body-idle", String.valueOf(timeOuts.text("response-header")));
        } else if (timeOuts.isEmpty()) {
            root.section("proxy").remove("time-outs");
        }
        new SquidCache(root, findings, directives).translate();
        names();
        cached(acls);
        refresh();
        outgoing();
    }

    private void time(Directive d, Time t) {
        long millis = millis(d.word(0), d.word(1));
        if (millis < 0) {
            findings.problem(d.at(), d.name() + ": expected a time such as 30 seconds, found \"" + d.rest(0) + "\"");
        } else {
            long bounded = Math.max(t.leastMillis(), Math.min(t.mostMillis(), millis));
            root.section(t.section()).put(t.key(), bounded % 1000 == 0 ? bounded / 1000 + "s" : bounded + "ms", d.at());
        }
    }

    private static long millis(String number, String unit) {
        if (!number.matches("[0-9]{1,9}(\\.[0-9]{1,3})?")) {
            return -1;
        }
        long factor = switch (unit.toLowerCase(Locale.ROOT).replaceFirst("s$", "")) {
            case "", "second" -> 1000L;
            case "millisecond" -> 1L;
            case "minute" -> 60_000L;
            case "hour" -> 3_600_000L;
            case "day" -> 86_400_000L;
            case "week" -> 604_800_000L;
            case "year" -> 31_536_000_000L;
            default -> -1L;
        };
        return factor < 0 ? -1 : Math.round(Double.parseDouble(number) * factor);
    }

    private void size(Directive d, Size s) {
        long bytes = bytes(d, findings);
        if (bytes >= 0) {
            String text = YamlDraft.size(Math.clamp(bytes, s.least(), s.most()));
            root.section(s.section()).put(s.key(), text, d.at());
        }
    }

    /** The size that a directive says; -1: none, which is reported. */
    static long bytes(Directive d, Findings findings) {
        String unit = d.word(1).toUpperCase(Locale.ROOT);
        int shift = switch (unit) {
            case "", "BYTES" -> 0;
            case "KB" -> 10;
            case "MB" -> 20;
            case "GB" -> 30;
            default -> -1;
        };
        if (!d.word(0).matches("[0-9]{1,9}") || shift < 0) {
            findings.problem(d.at(), d.name() + ": expected a size such as 256 MB, found \"" + d.rest(0) + "\"");
            return -1;
        }
        return Long.parseLong(d.word(0)) << shift;
    }

    private void names() {
        Section proxy = root.section("proxy");
        for (Directive d : take("visible_hostname")) {
            if (d.word(0).matches("[!#$%&'*+.^_`|~0-9A-Za-z:-]{1,64}")) {
                proxy.put("via-pseudonym", d.word(0), d.at());
                root.section("server").put("name", d.word(0), d.at());
            } else {
                findings.left(d.at(), d.text(), "expected a name of at most 64 characters");
            }
        }
        take("unique_hostname");
        for (Directive d : take("forwarded_for")) {
            boolean on = d.word(0).equals("on");
            proxy.put("forwarded", on ? "x-forwarded" : "off", d.at());
            if (d.word(0).equals("transparent")) {
                findings.note(d.at(), "forwarded_for transparent: what clients send is removed, too");
            }
        }
        for (Directive d : take("via")) {
            if (d.word(0).equals("off")) {
                findings.left(d.at(), d.text(), "a proxy adds Via (RFC 9110 7.6.3), by which loops are detected");
            }
        }
        for (Directive d : take("dns_nameservers")) {
            proxy.section("dns").put("servers", d.words(), d.at());
        }
    }

    private void cached(SquidAcls acls) {
        List<Directive> rules = new ArrayList<>(take("cache"));
        rules.addAll(take("no_cache"));
        rules.addAll(take("store_miss"));
        rules.addAll(take("send_hit"));
        for (Directive d : rules) {
            if (d.word(0).equals("allow")) {
                continue;
            }
            SquidAcls.Acl acl = d.words().size() == 2 ? acls.named(d.word(1)) : null;
            boolean queries = acl != null
                    && acl.test() instanceof SquidAcls.Path p
                    && p.expressions().stream().anyMatch(e -> e.contains("\\?"))
                    && p.expressions().stream().allMatch(e -> e.equals("\\?") || e.equals("cgi-bin"));
            if (queries) {
                root.section("cache").put("query-maxlen", "0", d.at());
            } else {
                root.section("cache").put("enabled", "off", d.at());
            }
            boolean all = acl != null && acl.name().equals("all");
            if (!queries && !all) {
                findings.left(d.at(), d.text(), "routes are cached by host and path; nothing is cached");
            }
        }
    }

    private void refresh() {
        for (Directive d : take("refresh_pattern")) {
            List<String> words = d.words().stream().filter(w -> !w.equals("-i")).toList();
            String regex = words.isEmpty() ? "" : words.getFirst();
            boolean numbers = words.size() >= 4
                    && words.get(1).matches("[0-9]{1,9}")
                    && words.get(2).matches("[0-9]{1,3}%")
                    && words.get(3).matches("[0-9]{1,9}");
            if (!numbers) {
                findings.problem(
                        d.at(),
                        "refresh_pattern: expected an expression, minutes, percent and minutes, found \"" + d.rest(0)
                                + "\"");
            } else if (regex.equals(".")) {
                general(d, words);
            } else if (words.get(1).equals("0") && words.size() == 4) {
                findings.note(d.at(), d.text() + ": heuristic freshness is that of cache.lm-factor for all URLs");
            } else if (!regex.startsWith("^ftp:") && !regex.startsWith("^gopher:")) {
                findings.left(
                        d.at(), d.text(), "freshness is what responses say; set max-uncheck and ignore of a route");
            }
        }
    }

    private void general(Directive d, List<String> words) {
        int percent = Math.min(100, Integer.parseInt(words.get(2).replace("%", "")));
        root.section("cache").put("lm-factor", String.valueOf(percent / 100.0), d.at());
        if (!words.get(1).equals("0") || words.size() > 4) {
            findings.left(d.at(), d.text(), "only its percentage is translated (cache.lm-factor)");
        }
    }

    private void outgoing() {
        for (Directive d : take("tcp_outgoing_address")) {
            if (d.words().size() == 1) {
                root.section("proxy.origin-pool").put("bind", d.word(0), d.at());
            } else {
                findings.left(d.at(), d.text(), "one address is used for all connections to origins");
            }
        }
    }
}

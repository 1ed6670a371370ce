package io.weir.server.migrate;

import io.weir.base.ConfigNode.Place;
import io.weir.proxy.program.objconf.ObjConfReader;
import io.weir.proxy.program.objconf.ObjConfReader.Value;
import io.weir.proxy.program.objconf.ObjConfReader.Written;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Init lines of {@code obj.conf} and directives of {@code magnus.conf} as keys outside the routes. Used once.
 *
 */
final class ObjConfInit {
    /** A knob that has the value of a directive. */
    private record Knob(String section, String key, String unit, long least, long most) {}

    private static final long ANY = 1L << 40;
    private static final Map<String, Knob> MAGNUS = Map.ofEntries(
            Map.entry("rqthrottle", new Knob("kernel", "request-throttle", "", 1, 65_536)),
            Map.entry("connqueuesize", new Knob("kernel.connection-queue", "capacity", "", 0, 1_048_576)),
            Map.entry("maxkeepaliveconnections", new Knob("kernel.keep-alive", "max-connections", "", 0, 1_048_576)),
            Map.entry("keepalivetimeout", new Knob("kernel.keep-alive", "timeout", "s", 0, 300)),
            Map.entry("accepttimeout", new Knob("kernel", "accept-time-out", "s", 1, 3600)),
            Map.entry("terminatetimeout", new Knob("kernel", "drain-time-out", "s", 0, 3600)),
            Map.entry("chunkedrequesttimeout", new Knob("kernel.time-outs", "body", "s", 1, 3600)),
            Map.entry("netwritetimeout", new Knob("kernel.time-outs", "write", "s", 1, 3600)),
            Map.entry("maxprocs", new Knob("server", "processes", "", 1, 64)),
            Map.entry("maxrqheaders", new Knob("proxy.limits", "request-headers", "", 1, 512)),
            Map.entry("headerbuffersize", new Knob("proxy.limits", "request-head", "B", 1024, 262_144)),
            Map.entry("maxrequestbodysize", new Knob("proxy.limits", "request-body", "B", 0, ANY)),
            Map.entry("maxidleserverconnections", new Knob("proxy.origin-pool", "max-idle", "", 0, 65_536)),
            Map.entry(
                    "maxconnectionsperserver",
                    new Knob("proxy.origin-pool", "max-connections-per-origin", "", 1, 65_536)),
            Map.entry("maxservers", new Knob("proxy.origin-pool", "max-origins", "", 1, 65_536)),
            Map.entry("nativepoolmaxthreads", new Knob("work-managers.native", "max-threads", "", 1, 65_536)),
            Map.entry("nativepoolminthreads", new Knob("work-managers.native", "min-threads", "", 0, 65_536)),
            Map.entry("nativepoolqueuesize", new Knob("work-managers.native", "queue-capacity", "", 1, 1_048_576)),
            Map.entry("nativepoolstacksize", new Knob("work-managers.native", "stack-size", "B", 0, 268_435_456)));
    /** Settings of every listener. */
    private static final Map<String, Knob> LISTENERS = Map.of(
            "listenq", new Knob("", "backlog", "", 1, 65_535),
            "sndbufsize", new Knob("", "send-buffer", "B", 0, 67_108_864),
            "rcvbufsize", new Knob("", "receive-buffer", "B", 0, 67_108_864));
    /** What has no meaning here, and why. */
    private static final Map<String, String> MEANINGLESS = Map.ofEntries(
            Map.entry("rqthrottlemin", "threads are made as they are needed"),
            Map.entry("keepalivethreads", "muxers poll idle connections"),
            Map.entry("keepalivequerymeantime", "muxers are told when a connection has data"),
            Map.entry("keepalivequerymaxsleeptime", "muxers are told when a connection has data"),
            Map.entry("kernelthreads", "threads are always those of the system"),
            Map.entry("usenativepoll", "see kernel.muxer"),
            Map.entry("asyncdns", "names are always resolved so"),
            Map.entry("dns", "addresses of clients are not resolved to names"),
            Map.entry("stacksize", "threads have the stack of the JVM"),
            Map.entry("user", "start Weir as that user"),
            Map.entry("pidlog", "weir.pid in the data directory"),
            Map.entry("tempdir", "nothing is written to temporary files"),
            Map.entry("chunkedrequestbuffersize", "bodies are streamed"),
            Map.entry("errorlog", "see server.log.file"),
            Map.entry("errorlogdateformat", "the server log has one format"),
            Map.entry("loadobjects", "this file was given"),
            Map.entry("rootobject", "it is always default"),
            Map.entry("aclcachelifetime", "see messaging.wire.logins.remember"),
            Map.entry("aclusercachesize", "see messaging.wire.logins"),
            Map.entry("aclgroupcachesize", "see messaging.wire.logins"));

    private final Section root;
    private final Findings findings;

    ObjConfInit(Section root, Findings findings) {
        this.root = root;
        this.findings = findings;
    }

    /** The directives of magnus.conf: a name and a value on each line, and Init lines. */
    void magnus(String name, String text) {
        StringBuilder inits = new StringBuilder();
        int n = 0;
        boolean init = false;
        for (String line : text.split("\n", -1)) {
            n++;
            boolean more = init && (line.startsWith(" ") || line.startsWith("\t"));
            init = more || line.strip().matches("(?i)Init\\s.*");
            // the lines stay where they are, for their places
            inits.append(init ? line : "").append('\n');
            if (!init && !line.isBlank() && !line.strip().startsWith("#")) {
                directive(new Place(name, n, 1), line.strip());
            }
        }
        ObjConfReader.Read read = ObjConfReader.read(name, inits.toString());
        findings.problems(read.problems());
        inits(read.inits());
    }

    private void directive(Place at, String line) {
        String[] words = line.split("\\s+", 2);
        String name = words[0];
        String value = words.length < 2 ? "" : words[1].strip();
        String key = name.toLowerCase(Locale.ROOT);
        if (words.length < 2) {
            findings.problem(at, "expected a directive and its value, found \"" + name + "\"");
        } else if (MAGNUS.containsKey(key)) {
            Knob knob = MAGNUS.get(key);
            number(at, name, value, knob, root.section(knob.section()));
        } else if (LISTENERS.containsKey(key)) {
            root.section("listeners")
                    .entries()
                    .values()
                    .forEach(l -> number(at, name, value, LISTENERS.get(key), (Section) l.value()));
        } else if (key.equals("port") || key.equals("address")) {
            Section http = root.section("listeners.http");
            http.put(key, value.matches("[0-9A-Fa-f:.]+") ? value : "8080", at);
            http.putFirst("address", "0.0.0.0", at);
        } else if (key.equals("logverbose")) {
            root.section("server.log").put("level", ObjConfMigration.on(value) ? "fine" : "info", at);
        } else if (MEANINGLESS.containsKey(key)) {
            findings.note(at, name + ": " + MEANINGLESS.get(key));
        } else {
            findings.left(at, name, "Weir has no such setting");
        }
    }

    private void number(Place at, String name, String value, @Nullable Knob knob, Section into) {
        if (knob == null) {
            return;
        }
        boolean good = value.matches("[0-9]{1,12}");
        long n = good ? Long.parseLong(value) : -1;
        if (!good || n < knob.least() || n > knob.most()) {
            findings.left(at, name + " " + value, "expected " + knob.least() + " to " + knob.most());
        } else {
            into.put(knob.key(), n + (n == 0 && knob.unit().equals("B") ? "" : knob.unit()), at);
        }
    }

    /** Init lines. */
    void inits(List<Written> lines) {
        lines.forEach(this::init);
    }

    private void init(Written w) {
        String f = w.function().replace('_', '-').toLowerCase(Locale.ROOT);
        switch (f) {
            case "host-dns-cache-init", "dns-cache-init" -> names(w);
            case "flex-init" -> logs(w);
            case "init-clf" -> clf(w);
            case "flex-rotate-init" -> rotate(w);
            case "init-proxy" -> proxy(w);
            case "thread-pool-init" -> pool(w);
            case "stats-init", "perf-init" -> findings.note(w.at(), f + ": statistics are always kept");
            case "define-perf-bucket" ->
                findings.note(w.at(), f + ": figures of functions are kept for obj.conf itself only (proxy.objects)");
            case "load-types" -> findings.note(w.at(), f + ": types are those of the origin");
            default ->
                findings.left(
                        w.at(),
                        "Init fn=" + w.function(),
                        f.equals("load-modules")
                                ? "native functions are not loaded; write them in Java (docs/functions.md)"
                                : "Weir has no such function");
        }
    }

    private void take(Written w, String parameter, Section into, String key, String unit, long most) {
        String value = w.value(parameter);
        if (value != null) {
            number(w.at(), parameter, value, new Knob("", key, unit, 0, most), into);
        }
    }

    private void names(Written w) {
        Section dns = root.section("proxy.dns");
        if ("true".equals(w.value("disable")) || "on".equals(w.value("disable"))) {
            dns.put("cache", "off", w.at());
        }
        String size = w.value("cache-size");
        if (size != null) {
            number(w.at(), "cache-size", size, new Knob("", "entries", "", 32, 32_768), dns);
        }
        take(w, "expire", dns, "expire", "s", 31_536_000);
        if ("no".equals(w.value("negative-dns-cache"))) {
            dns.put("negative", "0s", w.at());
        }
    }

    private Section log(String name) {
        boolean global = name.equals("global") || name.equals("access");
        return root.section(global ? "proxy.access-log" : "proxy.access-logs." + name.replace('.', '-'));
    }

    private void logs(Written w) {
        for (Value v : w.parameters()) {
            String value = v.value();
            if (v.name().startsWith("format.") && value != null) {
                log(v.name().substring("format.".length()))
                        .put("format", "custom", v.at())
                        .put("custom", value, v.at());
            } else if (value != null
                    && !v.name().contains(".")
                    && !Set.of("buffer-size", "num-buffers", "buffers-per-file").contains(v.name())) {
                Section log = log(v.name());
                log.putFirst("format", "common", v.at());
                log.put("file", value, v.at());
            }
        }
    }

    private void clf(Written w) {
        for (Value v : w.parameters()) {
            if (v.value() != null) {
                log(v.name()).put("format", "common", v.at()).put("file", v.value(), v.at());
            }
        }
    }

    private void rotate(Written w) {
        String interval = w.value("rotate-interval");
        boolean minutes = interval != null && interval.matches("[1-9][0-9]{0,5}");
        if (!minutes || interval == null) {
            findings.left(w.at(), "flex-rotate-init", "expected rotate-interval in minutes");
            return;
        }
        Section proxy = root.section("proxy");
        if (proxy.has("access-log")) {
            proxy.section("access-log").put("rotate-interval", interval + "m", w.at());
        }
        if (proxy.has("access-logs")) {
            proxy.section("access-logs")
                    .entries()
                    .values()
                    .forEach(l -> ((Section) l.value()).put("rotate-interval", interval + "m", w.at()));
        }
        if (w.value("rotate-callback") != null) {
            findings.left(w.at(), "rotate-callback", "./weir log rotate, and compress of a log");
        }
    }

    private void proxy(Written w) {
        Section timeOuts = root.section("proxy.time-outs");
        take(w, "timeout", timeOuts, "tunnel-idle", "s", 86_400);
        take(w, "timeout-2", timeOuts, "after-client-abort", "s", 3600);
        if (timeOuts.isEmpty()) {
            root.section("proxy").remove("time-outs");
        }
    }

    private void pool(Written w) {
        String name = w.value("name");
        if (name == null || !name.matches("[A-Za-z0-9_-]{1,64}")) {
            findings.left(w.at(), "thread-pool-init", "expected a name of letters, digits, _ and -");
            return;
        }
        Section pool = root.section("work-managers").section(name).from(w.at());
        take(w, "maxthreads", pool, "max-threads", "", 65_536);
        take(w, "minthreads", pool, "min-threads", "", 65_536);
        take(w, "queuesize", pool, "queue-capacity", "", 1_048_576);
        take(w, "queueSize", pool, "queue-capacity", "", 1_048_576);
        take(w, "stackSize", pool, "stack-size", "B", 268_435_456);
        take(w, "stacksize", pool, "stack-size", "B", 268_435_456);
    }
}

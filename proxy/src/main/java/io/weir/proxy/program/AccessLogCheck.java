package io.weir.proxy.program;

import io.weir.proxy.accesslog.AccessLogConfig;
import io.weir.proxy.accesslog.AccessLogs;
import io.weir.proxy.program.config.ProxyConfig;
import io.weir.proxy.program.run.VirtualServers;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;

/** Checks the sections of access logs: formats, statuses, virtual servers, and that no two use one file. Stateless. */
final class AccessLogCheck {
    private AccessLogCheck() {}

    /** Reports each problem with its key below {@code proxy}. */
    static void of(ProxyConfig config, VirtualServers servers, BiConsumer<String, String> problem) {
        Map<String, String> files = new HashMap<>();
        one("access-log", config.accessLog(), servers, files, problem);
        config.accessLogs().forEach((name, log) -> {
            String key = "access-logs." + name;
            if (name.equals(AccessLogs.GLOBAL)) {
                problem.accept(key, "global is the name of proxy.access-log: choose another");
            }
            one(key, log, servers, files, problem);
        });
    }

    private static void one(
            String key,
            AccessLogConfig log,
            VirtualServers servers,
            Map<String, String> files,
            BiConsumer<String, String> problem) {
        if (log.format() == AccessLogConfig.Style.OFF) {
            return;
        }
        AccessLogs.problem(log).ifPresent(p -> problem.accept(key + "." + p.key(), p.what()));
        for (String server : log.virtualServers()) {
            if (servers.named(server) == null) {
                problem.accept(key + ".virtual-servers", "there is no virtual server \"" + server + "\"");
            }
        }
        String other = files.put(log.file(), key);
        if (other != null) {
            problem.accept(key + ".file", "proxy." + other + " uses the same file: each log needs its own");
        }
    }
}

package io.weir.proxy.program;

import io.weir.base.Nearest;
import io.weir.proxy.accesslog.AccessLogConfig;
import io.weir.proxy.accesslog.AccessLogs;
import io.weir.proxy.function.Stage;
import io.weir.proxy.program.build.ProgramBuilder;
import io.weir.proxy.program.config.ProxyConfig;
import io.weir.proxy.program.run.Directive;
import io.weir.proxy.program.run.ServerFunction;
import io.weir.proxy.program.server.VirtualServers;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
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

    /** Reports each directive of AddLog whose log is not declared. */
    static void named(ProxyConfig config, ProgramBuilder builder) {
        Map<String, AccessLogConfig> logs = new TreeMap<>(config.accessLogs());
        logs.put(AccessLogs.GLOBAL, config.accessLog());
        for (Directive directive : builder.directives(Stage.ADD_LOG)) {
            String function = directive.function().name();
            String name = ServerFunction.RECORDERS.contains(function)
                    ? directive.parameters().text("name")
                    : null;
            AccessLogConfig log = name == null ? null : logs.get(name);
            if (name != null && log == null) {
                builder.problem(
                        directive.place(),
                        "",
                        "no access log is called \"" + name + "\"" + Nearest.known(name, logs.keySet()));
            } else if (log != null
                    && log.format() == AccessLogConfig.Style.JSON
                    && function.equals(ServerFunction.RECORD_USER_AGENT)) {
                builder.problem(
                        directive.place(),
                        "",
                        "the records of " + ServerFunction.RECORD_USER_AGENT + " are text, those of the access log \""
                                + name + "\" JSON: it needs a log of its own");
            }
        }
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

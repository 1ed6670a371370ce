package io.weir.lab.bench.peer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/** The tree of folders and files that Traffic Server requires, described by a run root. Stateless. */
final class TrafficServerFiles {
    private TrafficServerFiles() {}

    /** Writes its files and returns its command line; it stays in the foreground. */
    static List<String> command(String program, PeerConfigs.Plan plan) throws IOException {
        return command(
                program, plan.folder(), records(plan), "map / http://127.0.0.1:" + plan.originPort() + "/\n", "");
    }

    /**
     * The same with these records.
     *
     * @param remap the rules
     * @param certificates the lines of {@code ssl_multicert.config}
     */
    static List<String> command(String program, Path folder, String records, String remap, String certificates)
            throws IOException {
        return command(program, folder, records, remap, certificates, "64M");
    }

    /**
     * The same.
     *
     * @param size of the cache's file
     */
    static List<String> command(
            String program, Path folder, String records, String remap, String certificates, String size)
            throws IOException {
        for (String name : List.of("etc", "run", "log", "cache")) {
            Files.setPosixFilePermissions(
                    Files.createDirectories(folder.resolve(name)), PosixFilePermissions.fromString("rwxrwxrwx"));
        }
        Path etc = folder.resolve("etc");
        Files.writeString(etc.resolve("records.config"), records);
        Files.writeString(etc.resolve("remap.config"), remap);
        Files.writeString(etc.resolve("ssl_multicert.config"), certificates);
        Files.writeString(etc.resolve("storage.config"), folder.resolve("cache") + " " + size + "\n");
        Files.writeString(etc.resolve("plugin.config"), "");
        Files.writeString(
                etc.resolve("ip_allow.yaml"),
                "ip_allow: [{apply: in, ip_addrs: 127.0.0.0/8, action: allow, methods: ALL}]\n");
        Path root = Files.writeString(folder.resolve("runroot.yaml"), root(folder));
        return List.of("env", "TS_RUNROOT=" + root, program);
    }

    private static String root(Path folder) {
        return """
                prefix: %1$s
                exec_prefix: /usr
                bindir: /usr/bin
                sbindir: /usr/sbin
                sysconfdir: %1$s/etc
                datadir: %1$s/cache
                includedir: /usr/include
                libdir: /usr/lib/trafficserver
                libexecdir: /usr/lib/trafficserver/modules
                localstatedir: %1$s/run
                runtimedir: %1$s/run
                logdir: %1$s/log
                cachedir: %1$s/cache
                """.formatted(folder);
    }

    static String records(PeerConfigs.Plan plan) {
        return """
                CONFIG proxy.config.http.server_ports STRING %d:ip-in=127.0.0.1
                # the origin listens at port %d (remap.config)
                CONFIG proxy.config.exec_thread.autoconfig INT 0
                CONFIG proxy.config.exec_thread.limit INT 1
                CONFIG proxy.config.accept_threads INT 0
                CONFIG proxy.config.task_threads INT 1
                CONFIG proxy.config.log.logging_enabled INT 0
                CONFIG proxy.config.http.cache.http INT %d
                CONFIG proxy.config.cache.ram_cache.size INT 67108864
                CONFIG proxy.config.net.connections_throttle INT %d
                CONFIG proxy.config.net.max_connections_in INT %d
                CONFIG proxy.config.http.keep_alive_no_activity_timeout_in INT 300
                CONFIG proxy.config.http.transaction_no_activity_timeout_in INT 300
                CONFIG proxy.config.http.insert_squid_x_forwarded_for INT 1
                CONFIG proxy.config.admin.user_id STRING #-1
                CONFIG proxy.config.crash_log_helper STRING NULL
                """.formatted(
                        plan.port(),
                        plan.originPort(),
                        plan.cache() ? 1 : 0,
                        plan.connections() + 1024,
                        plan.connections() + 512);
    }
}

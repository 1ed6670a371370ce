package io.weir.lab.bench.peer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Configurations of caches on a disk, of Weir, of the peers and of the origin: one worker each, access logs off,
 * connections kept. HAProxy has no disk: it has the memory alone. Stateless.
 */
public final class DiskConfigs {
    private static final int CONNECTIONS = 1024;

    /** Keys that a megabyte of nginx's zone holds, by its documentation. */
    private static final int KEYS = 8000;

    private static final int MIB = 1 << 20;

    private DiskConfigs() {}

    /**
     * The parameters of a server.
     *
     * @param folder its folder, which everybody may read and write
     * @param memory bytes of its cache in memory; 0: none, where it can be without
     * @param disk bytes of its cache on the disk
     * @param objects that it may have to store
     * @param sweeping whether Squid has a file for each object, which it sweeps, instead of its database
     * @param restarts whether it is started again with what it stored
     */
    public record Plan(
            Path folder,
            int port,
            int originPort,
            long memory,
            long disk,
            long objects,
            boolean sweeping,
            boolean restarts) {
        private long memoryMiB() {
            return memory / MIB;
        }

        private long diskMiB() {
            return disk / MIB;
        }
    }

    /** Writes a peer's files and returns its command line; it stays in the foreground. */
    public static List<String> prepare(Peer peer, String program, Plan plan) throws IOException {
        Path file = plan.folder().resolve(peer == Peer.VARNISH ? "bench.vcl" : peer.key() + ".conf");
        Files.writeString(file, text(peer, plan));
        String config = file.toString();
        return peer == Peer.TRAFFICSERVER
                ? TrafficServerFiles.command(
                        program,
                        plan.folder(),
                        trafficServer(plan),
                        "map / http://127.0.0.1:" + plan.originPort() + "/\n",
                        "",
                        plan.diskMiB() + "M")
                : PeerConfigs.command(
                        peer,
                        program,
                        config,
                        plan.folder(),
                        plan.port(),
                        "file," + plan.folder().resolve("store") + "," + plan.diskMiB() + "m",
                        List.of("nuke_limit=1000"));
    }

    /** What must run once before the first start. */
    public static List<List<String>> first(Peer peer, String program, Plan plan) {
        String config = plan.folder().resolve(peer.key() + ".conf").toString();
        return peer == Peer.SQUID
                ? List.of(List.of(program, "-z", "-N", "-n", "weir" + plan.port(), "-f", config))
                : List.of();
    }

    static String text(Peer peer, Plan plan) {
        return switch (peer) {
            case NGINX -> nginx(plan);
            case HAPROXY -> haproxy(plan);
            case VARNISH -> varnish(plan);
            case SQUID -> squid(plan);
            case TRAFFICSERVER -> trafficServer(plan);
        };
    }

    /** An nginx with answers of all sizes, the size in the path; {@code X-When} is the time of an answer in seconds. */
    public static String origin(Path folder, int port) {
        return PeerConfigs.nginxHead(folder, CONNECTIONS) + """
                  open_file_cache max=16;
                  server {
                    listen 127.0.0.1:%d backlog=4096;
                    root %s/www;
                    location = /status { stub_status; }
                    location ~ ^/(\\w+)/ {
                      try_files /$1 =404;
                      add_header Cache-Control "max-age=360000";
                      add_header X-When $msec;
                    }
                  }
                }
                """.formatted(port, folder);
    }

    /** Weir with a disk tier in its data directory. */
    public static String weir(Plan plan) {
        return WeirConfigs.plain(plan.originPort(), true)
                .replace("{address: 127.0.0.1, port: 0,", "{address: 127.0.0.1, port: " + plan.port() + ",")
                .replace(
                        "cache: {enabled: on}",
                        "cache: {enabled: on, memory-budget: %dMiB, max-object-size: 2MiB, max-entries: %d, disk: {path: cache, size: %dMiB, max-objects: %d}}"
                                .formatted(
                                        plan.memoryMiB(),
                                        Math.max(1000, plan.objects()),
                                        plan.diskMiB(),
                                        Math.max(1000, plan.objects() * 2)));
    }

    private static String nginx(Plan plan) {
        return PeerConfigs.nginxHead(plan.folder(), CONNECTIONS)
                + """
                  proxy_cache_path %s/cache levels=1:2 keys_zone=c:%dm max_size=%dm inactive=100h use_temp_path=off;
                  upstream origin {
                    server 127.0.0.1:%d;
                    keepalive 64;
                    keepalive_requests 1000000000;
                  }
                  server {
                    listen 127.0.0.1:%d backlog=4096;
                    location / {
                      proxy_pass http://origin;
                      proxy_http_version 1.1;
                      proxy_set_header Connection "";
                      proxy_set_header Host $http_host;
                      proxy_set_header X-Forwarded-For $remote_addr;
                      proxy_set_header X-Forwarded-Host $http_host;
                      proxy_set_header X-Forwarded-Proto $scheme;
                      proxy_cache c;
                    }
                  }
                }
                """.formatted(
                        plan.folder(), 10 + plan.objects() / KEYS, plan.diskMiB(), plan.originPort(), plan.port());
    }

    private static String haproxy(Plan plan) {
        return """
                global
                  nbthread 1
                  maxconn %d
                  no strict-limits
                cache c
                  total-max-size %d
                  max-object-size 1100000
                  max-age 360000
                defaults
                  mode http
                  timeout client 300s
                  timeout server 60s
                  timeout connect 5s
                frontend f
                  bind 127.0.0.1:%d backlog 4096
                  http-request cache-use c
                  http-response cache-store c
                  option forwardfor
                  default_backend b
                backend b
                  http-reuse always
                  server o 127.0.0.1:%d
                """.formatted(CONNECTIONS, plan.memoryMiB(), plan.port(), plan.originPort());
    }

    private static String varnish(Plan plan) {
        return """
                vcl 4.1;
                backend origin {
                  .host = "127.0.0.1";
                  .port = "%d";
                }
                sub vcl_recv {
                  return (hash);
                }
                """.formatted(plan.originPort());
    }

    private static String squid(Plan plan) {
        String store = plan.sweeping()
                ? "aufs " + plan.folder().resolve("cache") + " " + plan.diskMiB() + " 16 256"
                : "rock " + plan.folder().resolve("cache") + " " + plan.diskMiB() + " max-size=2000000";
        return """
                http_port 127.0.0.1:%d accel defaultsite=bench.test
                cache_peer 127.0.0.1 parent %d 0 no-query originserver
                http_access allow all
                access_log none
                cache_log %s/cache.log
                cache_store_log none
                pid_filename none
                coredump_dir none
                visible_hostname bench.test
                pinger_enable off
                cache_mem %d MB
                maximum_object_size 2 MB
                maximum_object_size_in_memory 2 MB
                cache_dir %s
                max_filedescriptors %d
                client_idle_pconn_timeout 300 seconds
                shutdown_lifetime 0 seconds
                """.formatted(plan.port(), plan.originPort(), plan.folder(), plan.memoryMiB(), store, 4 * CONNECTIONS);
    }

    // The directory has an entry for each object of the mean size. Too few, and objects are lost while there is room.
    // It is written to the disk once a minute, and not at the end (9.2.9): what was stored since is lost by a restart.
    private static String trafficServer(Plan plan) {
        return """
                CONFIG proxy.config.http.server_ports STRING %d:ip-in=127.0.0.1
                # the origin listens at port %d (remap.config)
                CONFIG proxy.config.exec_thread.autoconfig INT 0
                CONFIG proxy.config.exec_thread.limit INT 1
                CONFIG proxy.config.accept_threads INT 0
                CONFIG proxy.config.task_threads INT 1
                CONFIG proxy.config.log.logging_enabled INT 0
                CONFIG proxy.config.http.cache.http INT 1
                CONFIG proxy.config.cache.ram_cache.size INT %d
                CONFIG proxy.config.cache.min_average_object_size INT %d
                CONFIG proxy.config.net.connections_throttle INT %d
                CONFIG proxy.config.cache.dir.sync_frequency INT %d
                CONFIG proxy.config.http.keep_alive_no_activity_timeout_in INT 300
                CONFIG proxy.config.http.transaction_no_activity_timeout_in INT 300
                CONFIG proxy.config.http.insert_squid_x_forwarded_for INT 1
                CONFIG proxy.config.admin.user_id STRING #-1
                CONFIG proxy.config.crash_log_helper STRING NULL
                """.formatted(
                        plan.port(),
                        plan.originPort(),
                        plan.memory(),
                        Math.clamp(plan.disk() / (4 * plan.objects()), 512, 8000),
                        2 * CONNECTIONS,
                        plan.restarts() ? 1 : 60);
    }
}

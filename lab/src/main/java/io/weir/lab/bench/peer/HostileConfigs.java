package io.weir.lab.bench.peer;

import io.weir.lab.slow.SlowPorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Configurations for slow clients: those of an operator who puts a server in front of an application, with one worker
 * and no access log. Defaults are kept, except for limits that are too low for this many connections. Stateless.
 */
public final class HostileConfigs {
    /** 2,000 slow clients, the quick ones, 1,000 streams, and a connection to the origin for nearly each. */
    private static final int CONNECTIONS = 8192;

    private HostileConfigs() {}

    /**
     * The parameters of a peer.
     *
     * @param folder its folder, writable by everybody
     * @param tls folder of {@code cert.pem}, {@code key.pem} and {@code both.pem}
     */
    public record Plan(Path folder, SlowPorts ports, int originPort, int slowOriginPort, Path tls) {}

    /** Writes the peer's files and returns its command line; it stays in the foreground. */
    public static List<String> prepare(Peer peer, String program, Plan plan) throws IOException {
        String config = Files.writeString(plan.folder().resolve(peer.key() + ".conf"), text(peer, plan))
                .toString();
        return peer == Peer.NGINX
                ? List.of(program, "-p", plan.folder().toString(), "-c", config)
                : List.of(program, "-db", "-f", config);
    }

    static String text(Peer peer, Plan plan) {
        return switch (peer) {
            case NGINX -> nginx(plan);
            case HAPROXY -> haproxy(plan);
            case VARNISH, SQUID, TRAFFICSERVER -> throw new IllegalArgumentException(peer + " is not asked");
        };
    }

    /** Weir: three listeners, otherwise with its defaults. */
    public static String weir(int originPort, int slowOriginPort, Path tls) {
        return """
                listeners:
                  http: {address: 127.0.0.1, port: 0}
                  https:
                    address: 127.0.0.1
                    port: 0
                    tls: {certificates: [{chain-file: %s/cert.pem, key-file: %s/key.pem}]}
                  messaging: {protocol: weir, address: 127.0.0.1, port: 0}
                admin: {port: 0}
                kernel: {socket-readers: 1}
                proxy:
                  access-log: {format: off}
                  routes:
                    - path: /slow/
                      origins: ["http://127.0.0.1:%d"]
                    - origins: ["http://127.0.0.1:%d"]
                """.formatted(tls, tls, slowOriginPort, originPort);
    }

    // 512 connections are its default, for clients and upstreams together.
    private static String nginx(Plan plan) {
        return """
                daemon off;
                worker_processes 1;
                worker_rlimit_nofile %d;
                pid nginx.pid;
                error_log %s/error.log;
                events { worker_connections %d; }
                http {
                  access_log off;
                  client_body_temp_path body;
                  proxy_temp_path proxy;
                  fastcgi_temp_path fastcgi;
                  uwsgi_temp_path uwsgi;
                  scgi_temp_path scgi;
                  upstream origin {
                    server 127.0.0.1:%d;
                    keepalive 64;
                  }
                  upstream slow {
                    server 127.0.0.1:%d;
                    keepalive 64;
                  }
                  proxy_http_version 1.1;
                  proxy_set_header Connection "";
                  proxy_set_header Host $http_host;
                  proxy_set_header X-Forwarded-For $remote_addr;
                  server {
                    listen 127.0.0.1:%d;
                    listen 127.0.0.1:%d http2;
                    listen 127.0.0.1:%d ssl http2;
                    ssl_certificate %s/cert.pem;
                    ssl_certificate_key %s/key.pem;
                    location / { proxy_pass http://origin; }
                    location /slow/ { proxy_pass http://slow; }
                  }
                }
                """.formatted(
                        CONNECTIONS + 1024,
                        plan.folder(),
                        CONNECTIONS,
                        plan.originPort(),
                        plan.slowOriginPort(),
                        plan.ports().plain(),
                        plan.ports().streams(),
                        plan.ports().tls(),
                        plan.tls(),
                        plan.tls());
    }

    // Time-outs of Debian's file, and the one that HAProxy's manual recommends against incomplete requests.
    private static String haproxy(Plan plan) {
        return """
                global
                  nbthread 1
                  maxconn %d
                  ulimit-n %d
                  no strict-limits
                defaults
                  mode http
                  timeout connect 5s
                  timeout client 50s
                  timeout server 50s
                  timeout http-request 10s
                frontend f
                  bind 127.0.0.1:%d
                  bind 127.0.0.1:%d proto h2
                  bind 127.0.0.1:%d ssl crt %s/both.pem alpn h2,http/1.1
                  maxconn %d
                  option forwardfor
                  use_backend s if { path_beg /slow/ }
                  default_backend b
                backend b
                  server o 127.0.0.1:%d
                backend s
                  server o 127.0.0.1:%d
                """.formatted(
                        CONNECTIONS,
                        2 * CONNECTIONS + 1024,
                        plan.ports().plain(),
                        plan.ports().streams(),
                        plan.ports().tls(),
                        plan.tls(),
                        CONNECTIONS,
                        plan.originPort(),
                        plan.slowOriginPort());
    }
}

package io.weir.lab.bench.peer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Configurations for the matrix: one instance of each server for all of its cells, with a plain port and one for TLS,
 * its cache on, and one worker. What is stored is decided by the origin's answers. Stateless.
 */
public final class MatrixConfigs {
    /** Fields of an answer of many fields, besides nginx's own five. */
    private static final List<String> FIELDS = List.of(
            "Accept-CH \"Sec-CH-UA\"",
            "Access-Control-Allow-Origin \"*\"",
            "Access-Control-Expose-Headers \"X-Request-Id, X-Runtime\"",
            "Alt-Svc \"clear\"",
            "Content-Language \"en\"",
            "Content-Security-Policy \"default-src 'self'; img-src 'self' data:; frame-ancestors 'none'\"",
            "Cross-Origin-Opener-Policy \"same-origin\"",
            "Cross-Origin-Resource-Policy \"same-site\"",
            "Link \"</style.css>; rel=preload; as=style\"",
            "Permissions-Policy \"geolocation=(), camera=()\"",
            "Referrer-Policy \"strict-origin-when-cross-origin\"",
            "Server-Timing \"db;dur=53, app;dur=47.2\"",
            "Set-Cookie \"session=0123456789abcdef; Path=/; HttpOnly\"",
            "Strict-Transport-Security \"max-age=31536000; includeSubDomains\"",
            "X-Content-Type-Options \"nosniff\"",
            "X-DNS-Prefetch-Control \"off\"",
            "X-Download-Options \"noopen\"",
            "X-Frame-Options \"DENY\"",
            "X-Permitted-Cross-Domain-Policies \"none\"",
            "X-Request-Id \"4f2c6f1e-6f0b-4b59-9a39-0d6a4f1f7c11\"",
            "X-Runtime \"0.012345\"");

    private static final int CONNECTIONS = 512;

    private MatrixConfigs() {}

    /**
     * The parameters of a peer.
     *
     * @param folder its folder, writable by everybody
     * @param echoPort where WebSockets and tunnels go
     * @param tls folder of {@code cert.pem}, {@code key.pem} and {@code both.pem}
     */
    public record Plan(Path folder, MatrixPorts ports, int originPort, int echoPort, Path tls) {}

    /** Writes the peer's files and returns its command line; it stays in the foreground. */
    public static List<String> prepare(Peer peer, String program, Plan plan) throws IOException {
        if (peer == Peer.TRAFFICSERVER) {
            return TrafficServerFiles.command(program, plan.folder(), text(peer, plan), remap(plan), CERTIFICATES);
        }
        Path file = plan.folder().resolve(peer == Peer.VARNISH ? "bench.vcl" : peer.key() + ".conf");
        String config = Files.writeString(file, text(peer, plan)).toString();
        return switch (peer) {
            case NGINX -> List.of(program, "-p", plan.folder().toString(), "-c", config);
            case HAPROXY -> List.of(program, "-db", "-f", config);
            // the name of its shared memory: that of another Squid, running or dead, would stop its start
            case SQUID -> List.of(program, "-N", "-n", "weir" + plan.originPort(), "-f", config);
            default -> varnish(program, plan, config);
        };
    }

    private static List<String> varnish(String program, Plan plan, String config) {
        return List.of(
                program,
                "-F",
                "-n",
                plan.folder().resolve("work").toString(),
                "-a",
                "127.0.0.1:" + plan.ports().plain(),
                "-f",
                config,
                "-s",
                "malloc,64m",
                "-p",
                "thread_pools=1");
    }

    private static final String CERTIFICATES = "dest_ip=* ssl_cert_name=cert.pem ssl_key_name=key.pem\n";

    static String text(Peer peer, Plan plan) {
        return switch (peer) {
            case NGINX -> nginx(plan);
            case HAPROXY -> haproxy(plan);
            case VARNISH -> vcl(plan);
            case SQUID -> squid(plan);
            case TRAFFICSERVER -> records(plan);
        };
    }

    /** Weir: two listeners, one socket reader, no access log, a route of its own for WebSockets, and tunnels. */
    public static String weir(int originPort, int echoPort, Path tls) {
        return """
                listeners:
                  http: {address: 127.0.0.1, port: 0, backlog: 4096}
                  https:
                    address: 127.0.0.1
                    port: 0
                    backlog: 4096
                    tls: {certificates: [{chain-file: %s/cert.pem, key-file: %s/key.pem}]}
                admin: {port: 0}
                kernel:
                  socket-readers: 1
                  keep-alive: {timeout: 300s}
                proxy:
                  access-log: {format: off}
                  routes:
                    - connect: {enabled: on, ports: ["%d"]}
                    - path: /ws/
                      origins: ["http://127.0.0.1:%d"]
                    - origins: ["http://127.0.0.1:%d"]
                """.formatted(tls, tls, echoPort, echoPort, originPort);
    }

    /**
     * An nginx that serves files of the folder {@code www}: under {@code /hit/} cacheable, under {@code /miss/},
     * {@code /fields/}, {@code /chunked/} and {@code /closed/} not, in different shapes; reads bodies sent to
     * {@code /upload/}; and tells the number of requests at {@code /status}.
     */
    public static String origin(Path folder, int port) {
        StringBuilder fields = new StringBuilder();
        FIELDS.forEach(f -> fields.append("      add_header ").append(f).append(";\n"));
        // Bodies are read whole before the answer: a mirror needs them, while the static handler answers at once.
        // No filter tells the length of what it may change: it is sent in chunks, or where those are off, until the
        // close.
        return PeerConfigs.nginxHead(folder, 4096) + """
              open_file_cache max=64;
              etag off;
              server {
                listen 127.0.0.1:%1$d backlog=4096;
                location = /status { stub_status; }
                location /hit/ {
                  alias %2$s/www/;
                  add_header ETag '"bench"';
                  add_header Cache-Control "max-age=36000";
                }
                location /miss/ {
                  alias %2$s/www/;
                  add_header ETag '"bench"';
                  add_header Cache-Control "no-store";
                }
                location /fields/ {
                  alias %2$s/www/;
                  add_header ETag '"bench"';
                  add_header Cache-Control "no-store";
            %3$s    }
                location /chunked/ {
                  alias %2$s/www/;
                  add_header Cache-Control "no-store";
                  sub_filter "no such text" "";
                  sub_filter_types *;
                }
                location /closed/ {
                  alias %2$s/www/;
                  add_header Cache-Control "no-store";
                  sub_filter "no such text" "";
                  sub_filter_types *;
                  chunked_transfer_encoding off;
                }
                location = /upload/ {
                  client_max_body_size 0;
                  client_body_buffer_size 2m;
                  mirror /nothing;
                  error_page 405 =200 /received;
                  root %2$s/www;
                  try_files /1k =404;
                }
                location = /received {
                  internal;
                  add_header Cache-Control "no-store";
                  return 200;
                }
                location = /nothing {
                  internal;
                  return 204;
                }
              }
            }
            """.formatted(port, folder, fields);
    }

    // Bodies are streamed, as Weir does; by default they are buffered, large ones in files.
    private static String nginx(Plan plan) {
        return PeerConfigs.nginxHead(plan.folder(), CONNECTIONS)
                + """
                  proxy_cache_path %1$s/cache keys_zone=c:10m;
                  upstream origin {
                    server 127.0.0.1:%2$d;
                    keepalive 64;
                    keepalive_requests 1000000000;
                  }
                  server {
                    listen 127.0.0.1:%4$d backlog=4096;
                    listen 127.0.0.1:%5$d backlog=4096 ssl http2;
                    ssl_protocols TLSv1.2 TLSv1.3;
                    ssl_certificate %6$s/cert.pem;
                    ssl_certificate_key %6$s/key.pem;
                    ssl_session_cache shared:s:10m;
                    client_max_body_size 8m;
                    proxy_http_version 1.1;
                    proxy_set_header Host $http_host;
                    proxy_set_header X-Forwarded-For $remote_addr;
                    proxy_set_header X-Forwarded-Host $http_host;
                    proxy_set_header X-Forwarded-Proto $scheme;
                    proxy_request_buffering off;
                    location / {
                      proxy_pass http://origin;
                      proxy_set_header Connection "";
                      proxy_set_header Host $http_host;
                      proxy_set_header X-Forwarded-For $remote_addr;
                      proxy_set_header X-Forwarded-Host $http_host;
                      proxy_set_header X-Forwarded-Proto $scheme;
                      proxy_cache c;
                    }
                    location /ws/ {
                      proxy_pass http://127.0.0.1:%3$d;
                      proxy_set_header Upgrade $http_upgrade;
                      proxy_set_header Connection "upgrade";
                      proxy_set_header Host $http_host;
                    }
                  }
                }
                """.formatted(
                                plan.folder(),
                                plan.originPort(),
                                plan.echoPort(),
                                plan.ports().plain(),
                                plan.ports().tls(),
                                plan.tls());
    }

    private static String haproxy(Plan plan) {
        return """
                global
                  nbthread 1
                  maxconn %1$d
                  ulimit-n %2$d
                  no strict-limits
                cache c
                  total-max-size 64
                  max-object-size 4000000
                  max-age 36000
                defaults
                  mode http
                  timeout client 300s
                  timeout server 60s
                  timeout connect 5s
                  timeout tunnel 300s
                frontend f
                  bind 127.0.0.1:%3$d backlog 4096
                  bind 127.0.0.1:%4$d backlog 4096 ssl crt %5$s/both.pem alpn h2,http/1.1
                  option forwardfor
                  http-request set-header X-Forwarded-Host %%[req.hdr(Host)]
                  http-request set-header X-Forwarded-Proto http unless { ssl_fc }
                  http-request set-header X-Forwarded-Proto https if { ssl_fc }
                  use_backend e if { path_beg /ws/ }
                  default_backend b
                backend b
                  http-reuse always
                  http-request cache-use c
                  http-response cache-store c
                  server o 127.0.0.1:%6$d
                backend e
                  server o 127.0.0.1:%7$d
                """.formatted(
                        CONNECTIONS + 512,
                        CONNECTIONS + 1024,
                        plan.ports().plain(),
                        plan.ports().tls(),
                        plan.tls(),
                        plan.originPort(),
                        plan.echoPort());
    }

    private static String vcl(Plan plan) {
        return """
                vcl 4.1;
                backend origin {
                  .host = "127.0.0.1";
                  .port = "%d";
                }
                backend echo {
                  .host = "127.0.0.1";
                  .port = "%d";
                }
                sub vcl_recv {
                  if (req.http.Upgrade ~ "(?i)websocket") {
                    set req.backend_hint = echo;
                    return (pipe);
                  }
                  if (req.method != "GET" && req.method != "HEAD") {
                    return (pass);
                  }
                  return (hash);
                }
                sub vcl_pipe {
                  if (req.http.Upgrade) {
                    set bereq.http.Upgrade = req.http.Upgrade;
                    set bereq.http.Connection = req.http.Connection;
                  }
                  return (pipe);
                }
                """.formatted(plan.originPort(), plan.echoPort());
    }

    // By default Squid keeps no object over half a megabyte in memory.
    private static String squid(Plan plan) {
        return """
                http_port 127.0.0.1:%d accel defaultsite=bench.test
                http_port 127.0.0.1:%d
                cache_peer 127.0.0.1 parent %d 0 no-query originserver
                acl tunnel method CONNECT
                always_direct allow tunnel
                never_direct allow !tunnel
                http_access allow all
                access_log none
                cache_log %s/cache.log
                cache_store_log none
                pid_filename none
                coredump_dir none
                visible_hostname bench.test
                pinger_enable off
                cache_mem 64 MB
                maximum_object_size 8 MB
                maximum_object_size_in_memory 8 MB
                max_filedescriptors %d
                client_idle_pconn_timeout 300 seconds
                shutdown_lifetime 0 seconds
                """.formatted(
                        plan.ports().plain(),
                        plan.ports().tunnel(),
                        plan.originPort(),
                        plan.folder(),
                        1024 + CONNECTIONS * 3 / 2);
    }

    private static String records(Plan plan) {
        return """
                CONFIG proxy.config.http.server_ports STRING %1$d:ip-in=127.0.0.1 %2$d:ssl:ip-in=127.0.0.1
                CONFIG proxy.config.ssl.server.cert.path STRING %3$s
                CONFIG proxy.config.ssl.server.private_key.path STRING %3$s
                # the origin listens at port %4$d (remap.config)
                CONFIG proxy.config.http.connect_ports STRING %5$d
                CONFIG proxy.config.url_remap.remap_required INT 0
                CONFIG proxy.config.exec_thread.autoconfig INT 0
                CONFIG proxy.config.exec_thread.limit INT 1
                CONFIG proxy.config.accept_threads INT 0
                CONFIG proxy.config.task_threads INT 1
                CONFIG proxy.config.log.logging_enabled INT 0
                CONFIG proxy.config.http.cache.http INT 1
                CONFIG proxy.config.cache.ram_cache.size INT 67108864
                CONFIG proxy.config.net.connections_throttle INT %6$d
                CONFIG proxy.config.net.max_connections_in INT %7$d
                CONFIG proxy.config.http.keep_alive_no_activity_timeout_in INT 300
                CONFIG proxy.config.http.transaction_no_activity_timeout_in INT 300
                CONFIG proxy.config.http.insert_squid_x_forwarded_for INT 1
                CONFIG proxy.config.admin.user_id STRING #-1
                CONFIG proxy.config.crash_log_helper STRING NULL
                """.formatted(
                        plan.ports().plain(),
                        plan.ports().tls(),
                        plan.tls(),
                        plan.originPort(),
                        plan.echoPort(),
                        CONNECTIONS + 1024,
                        CONNECTIONS + 512);
    }

    /** Traffic Server's rules, for requests that name its own ports; what names another one is a tunnel's target. */
    static String remap(Plan plan) {
        return """
                map ws://127.0.0.1:%1$d/ws/ ws://127.0.0.1:%3$d/ws/
                map wss://127.0.0.1:%2$d/ws/ ws://127.0.0.1:%3$d/ws/
                map http://127.0.0.1:%1$d/ http://127.0.0.1:%4$d/
                map https://127.0.0.1:%2$d/ http://127.0.0.1:%4$d/
                """.formatted(plan.ports().plain(), plan.ports().tls(), plan.echoPort(), plan.originPort());
    }
}

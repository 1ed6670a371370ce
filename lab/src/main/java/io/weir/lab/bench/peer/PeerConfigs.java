package io.weir.lab.bench.peer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Configurations of the peers and of the origin, each with one worker, access logs off, connections kept, forwarding the
 * client's address as Weir does. Stateless.
 */
public final class PeerConfigs {
    private PeerConfigs() {}

    /**
     * The parameters of a peer.
     *
     * @param folder its folder, readable by everybody
     * @param cache whether it caches
     * @param connections that it must be able to hold
     * @param tls folder of {@code cert.pem}, {@code key.pem} and {@code both.pem} when it speaks TLS
     * @param http2 whether it speaks HTTP/2 under TLS
     */
    public record Plan(
            Path folder,
            int port,
            int originPort,
            boolean cache,
            int connections,
            @Nullable Path tls,
            boolean http2) {}

    /** Writes the peer's files and returns its command line; it stays in the foreground. */
    public static List<String> prepare(Peer peer, String program, Plan plan) throws IOException {
        Path file = plan.folder().resolve(peer == Peer.VARNISH ? "bench.vcl" : peer.key() + ".conf");
        Files.writeString(file, text(peer, plan));
        String config = file.toString();
        return peer == Peer.TRAFFICSERVER
                ? TrafficServerFiles.command(program, plan)
                : command(peer, program, config, plan.folder(), plan.port(), "malloc,64m", List.of());
    }

    /**
     * The command line of any but Traffic Server.
     *
     * @param storage of Varnish
     * @param parameters of Varnish, beside the number of its pools
     */
    static List<String> command(
            Peer peer, String program, String config, Path folder, int port, String storage, List<String> parameters) {
        return switch (peer) {
            case NGINX -> List.of(program, "-p", folder.toString(), "-c", config);
            case HAPROXY -> List.of(program, "-db", "-f", config);
            case VARNISH -> {
                List<String> line = new ArrayList<>(List.of(program, "-F"));
                line.addAll(List.of("-n", folder.resolve("work").toString()));
                line.addAll(List.of("-a", "127.0.0.1:" + port, "-f", config, "-s", storage, "-p", "thread_pools=1"));
                parameters.forEach(parameter -> line.addAll(List.of("-p", parameter)));
                yield line;
            }
            // the name of its shared memory: that of another Squid, running or dead, would stop its start
            case SQUID -> List.of(program, "-N", "-n", "weir" + port, "-f", config);
            case TRAFFICSERVER -> throw new IllegalArgumentException("it has files instead");
        };
    }

    static String text(Peer peer, Plan plan) {
        return switch (peer) {
            case NGINX -> nginx(plan);
            case HAPROXY -> haproxy(plan);
            case VARNISH -> varnish(plan);
            case SQUID -> squid(plan);
            case TRAFFICSERVER -> TrafficServerFiles.records(plan);
        };
    }

    /** An nginx that serves files of the folder {@code www}, and its count of requests at {@code /status}. */
    public static String origin(Path folder, int port, boolean cacheable) {
        return nginxHead(folder, 4096)
                + """
                  open_file_cache max=16;
                  server {
                    listen 127.0.0.1:%d backlog=4096;
                    root %s/www;
                    location = /status { stub_status; }
                    location / { try_files $uri /o; %s }
                  }
                }
                """.formatted(
                                port,
                                folder,
                                cacheable
                                        ? "add_header Cache-Control \"max-age=3600\";"
                                        : "add_header Cache-Control \"no-store\";");
    }

    static String nginxHead(Path folder, int connections) {
        return """
                daemon off;
                worker_processes 1;
                worker_rlimit_nofile %d;
                pid nginx.pid;
                error_log error.log;
                events { worker_connections %d; }
                http {
                  access_log off;
                  sendfile on;
                  default_type application/octet-stream;
                  keepalive_requests 1000000000;
                  keepalive_timeout 300s;
                  client_body_temp_path body;
                  proxy_temp_path proxy;
                  fastcgi_temp_path fastcgi;
                  uwsgi_temp_path uwsgi;
                  scgi_temp_path scgi;
                """.formatted(connections + 1024, connections + 512).replace("error.log", folder + "/error.log");
    }

    private static String nginx(Plan plan) {
        String zone = plan.cache() ? "  proxy_cache_path %s/cache keys_zone=c:10m;\n".formatted(plan.folder()) : "";
        String use = plan.cache() ? "proxy_cache c;" : "";
        Path tls = plan.tls();
        String secure = tls == null ? "" : plan.http2() ? " ssl http2" : " ssl";
        String keys = tls == null
                ? ""
                : ("ssl_protocols TLSv1.2 TLSv1.3; ssl_certificate %s/cert.pem; ssl_certificate_key %s/key.pem;"
                                + " ssl_session_cache shared:s:10m;")
                        .formatted(tls, tls);
        return nginxHead(plan.folder(), plan.connections())
                + zone
                + """
                  upstream origin {
                    server 127.0.0.1:%d;
                    keepalive 64;
                    keepalive_requests 1000000000;
                  }
                  server {
                    listen 127.0.0.1:%d backlog=4096%s;
                    %s
                    location / {
                      proxy_pass http://origin;
                      proxy_http_version 1.1;
                      proxy_set_header Connection "";
                      proxy_set_header Host $http_host;
                      proxy_set_header X-Forwarded-For $remote_addr;
                      proxy_set_header X-Forwarded-Host $http_host;
                      proxy_set_header X-Forwarded-Proto $scheme;
                      %s
                    }
                  }
                }
                """.formatted(plan.originPort(), plan.port(), secure, keys, use);
    }

    private static String haproxy(Plan plan) {
        String secure = plan.tls() == null
                ? ""
                : " ssl crt " + plan.tls() + "/both.pem" + (plan.http2() ? " alpn h2,http/1.1" : "");
        String use = plan.cache() ? "  http-request cache-use c\n  http-response cache-store c\n" : "";
        return """
                global
                  nbthread 1
                  maxconn %d
                  ulimit-n %d
                  no strict-limits
                cache c
                  total-max-size 64
                  max-object-size 1000000
                  max-age 3600
                defaults
                  mode http
                  timeout client 300s
                  timeout server 60s
                  timeout connect 5s
                frontend f
                  bind 127.0.0.1:%d backlog 4096%s
                %s  option forwardfor
                  http-request set-header X-Forwarded-Host %%[req.hdr(Host)]
                  http-request set-header X-Forwarded-Proto http
                  default_backend b
                backend b
                  http-reuse always
                  server o 127.0.0.1:%d
                """.formatted(
                plan.connections() + 512, plan.connections() + 1024, plan.port(), secure, use, plan.originPort());
    }

    private static String varnish(Plan plan) {
        return """
                vcl 4.1;
                backend origin {
                  .host = "127.0.0.1";
                  .port = "%d";
                }
                sub vcl_recv {
                  return (%s);
                }
                """.formatted(plan.originPort(), plan.cache() ? "hash" : "pass");
    }

    // Squid keeps no connection when four fifths of its descriptors are in use.
    private static String squid(Plan plan) {
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
                cache_mem 64 MB
                cache %s all
                max_filedescriptors %d
                client_idle_pconn_timeout 300 seconds
                shutdown_lifetime 0 seconds
                """.formatted(
                        plan.port(),
                        plan.originPort(),
                        plan.folder(),
                        plan.cache() ? "allow" : "deny",
                        1024 + plan.connections() * 3 / 2);
    }
}

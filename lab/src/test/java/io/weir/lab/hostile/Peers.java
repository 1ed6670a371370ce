package io.weir.lab.hostile;

import io.weir.base.SystemClock;
import io.weir.lab.bench.process.Child;
import io.weir.lab.bench.process.PeerProgram;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/**
 * An nginx and a Squid that forward everything and cache nothing: each with one port before Weir and one before the origin.
 * Where they are not installed the test is skipped, unless {@code WEIR_CI} says that they must be there. Live until closed.
 */
final class Peers implements AutoCloseable {
    private final Path folder;
    final int nginxToOrigin = Child.freePort();
    final int nginxToWeir = Child.freePort();
    /** Speaks HTTP/2 only. */
    final int nginxHttp2ToWeir = Child.freePort();

    final int squidToOrigin = Child.freePort();
    final int squidToWeir = Child.freePort();
    private @Nullable Child nginx;
    private @Nullable Child squid;

    /** Their ports are known; they do not run yet. */
    Peers() throws IOException {
        // they give up root, and write there nevertheless
        folder = Files.createTempDirectory("weir-hostile-");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
    }

    void start(int origin, int weir) throws Exception {
        nginx = run(PeerProgram.NGINX, nginxToOrigin, nginx(origin, weir), "-p", folder.toString(), "-c");
        // the name of its shared memory: that of another Squid, running or dead, would stop its start
        squid = run(PeerProgram.SQUID, squidToOrigin, squid(origin, weir), "-N", "-n", "weir" + squidToOrigin, "-f");
    }

    private Child run(PeerProgram program, int port, String config, String... options) throws Exception {
        Path file = program.find(Objects.requireNonNullElse(System.getenv("PATH"), ""))
                .orElseGet(() -> missing(program));
        Path text = Files.writeString(folder.resolve(program + ".conf"), config);
        List<String> command = Stream.of(Stream.of(file.toString()), Stream.of(options), Stream.of(text.toString()))
                .flatMap(s -> s)
                .toList();
        return Child.start(program.toString(), command, folder, port, SystemClock.INSTANCE);
    }

    private static Path missing(PeerProgram program) {
        String message = program + " is not installed: smuggling is not tested with it. Debian: apt-get install "
                + program.toString().toLowerCase(java.util.Locale.ROOT);
        if (System.getenv("WEIR_CI") != null) {
            throw new AssertionError(message);
        }
        return Assumptions.<Path>abort(message);
    }

    /** What nginx passed on to Weir and got 200 for: the targets. */
    List<String> nginxPassed() throws IOException {
        return targets("nginx.log");
    }

    /** What Squid passed on to Weir and got 200 for: the targets. */
    List<String> squidPassed() throws IOException {
        return targets("squid.log");
    }

    private List<String> targets(String log) throws IOException {
        return Files.readAllLines(folder.resolve(log), StandardCharsets.ISO_8859_1).stream()
                .filter(l -> l.startsWith("200 "))
                .map(l -> l.substring(4).replaceFirst("^http://[^/]*", ""))
                .toList();
    }

    private String nginx(int origin, int weir) {
        return """
                daemon off;
                worker_processes 1;
                pid nginx.pid;
                error_log nginx-error.log;
                events { worker_connections 1024; }
                http {
                  log_format passed '$upstream_status $request_uri';
                  access_log off;
                  client_body_timeout 1s;
                  client_header_timeout 1s;
                  client_body_temp_path body;
                  proxy_temp_path proxy;
                  fastcgi_temp_path fastcgi;
                  uwsgi_temp_path uwsgi;
                  scgi_temp_path scgi;
                  underscores_in_headers on;
                  proxy_http_version 1.1;
                  proxy_request_buffering off;
                  proxy_read_timeout 20s;
                  proxy_set_header Connection "";
                  proxy_set_header Host $http_host;
                  upstream origin { server 127.0.0.1:%d; keepalive 8; }
                  upstream weir { server 127.0.0.1:%d; keepalive 8; }
                  server {
                    listen 127.0.0.1:%d;
                    location / { proxy_pass http://origin; }
                  }
                  server {
                    listen 127.0.0.1:%d;
                    listen 127.0.0.1:%d http2;
                    access_log nginx.log passed;
                    location / { proxy_pass http://weir; }
                  }
                }
                """.formatted(origin, weir, nginxToOrigin, nginxToWeir, nginxHttp2ToWeir)
                .replaceAll("(nginx-error.log|nginx.log)", folder + "/$1");
    }

    /** Squid counts in whole seconds: a time-out of one ends, at the turn of a second, whatever is on its way. */
    private String squid(int origin, int weir) {
        return """
                http_port 127.0.0.1:%d accel vhost defaultsite=a.test name=back
                http_port 127.0.0.1:%d accel vhost defaultsite=a.test name=front
                cache_peer 127.0.0.1 parent %d 0 no-query originserver name=origin
                cache_peer 127.0.0.1 parent %d 0 no-query originserver name=weir
                acl back myportname back
                acl front myportname front
                cache_peer_access origin allow back
                cache_peer_access origin deny all
                cache_peer_access weir allow front
                cache_peer_access weir deny all
                never_direct allow all
                http_access allow all
                cache deny all
                logformat passed %%<Hs %%ru
                access_log stdio:%s/squid.log logformat=passed front
                cache_log %s/cache.log
                cache_store_log none
                pid_filename none
                coredump_dir none
                visible_hostname a.test
                pinger_enable off
                max_filedescriptors 1024
                request_timeout 1 second
                read_timeout 20 seconds
                shutdown_lifetime 0 seconds
                """.formatted(squidToOrigin, squidToWeir, origin, weir, folder, folder);
    }

    @Override
    public void close() throws IOException {
        for (Child child : new Child[] {nginx, squid}) {
            if (child != null) {
                child.close();
            }
        }
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(java.util.Comparator.reverseOrder())
                    .forEach(f -> f.toFile().delete());
        }
    }
}

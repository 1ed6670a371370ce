package io.weir.server.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The same requests to nginx and to Weir with the translation of its file. Skipped where nginx is not installed. */
@Tag("slow")
final class NginxPeerTest extends MigrateFixture {
    private static final String PATHS = """
            / /x /x?a=b /exact /exact/ /exactly /shop /shop/ /shop/cart?id=1 /shopping /shopping/bag /shop/a.gif
            /static/a /static/a.gif /img/a.gif /img/a /A.GIF /a.gif.txt /admin /admin/ /admin/x /administrator
            /api /api/ /api/v1/x?y=z /old/a/b?c=d /old /teapot /gone /moved/x?y /health /%61dmin /admin%2fx /x/../admin
            /.htaccess /deep/.htpasswd /limited /pic.png /up/x""";

    @Test
    void answersAreThoseOfNginx() throws Exception {
        int origin = origin();
        int port = freePort();
        String text = """
                events { worker_connections 256; }
                http {
                  access_log off;
                  upstream app { server 127.0.0.1:%1$d; keepalive 4; }
                  server {
                    listen 127.0.0.1:%2$d;
                    server_name www.example.com;
                    proxy_set_header Host $host;
                    location / { proxy_pass http://app; }
                    location = /exact { return 200 "exact"; default_type text/plain; }
                    location /shop { proxy_pass http://app; proxy_set_header X-Seen shop; }
                    location /shopping/ { proxy_pass http://app; proxy_set_header X-Seen bags; }
                    location /static/ { proxy_pass http://app/files/; }
                    location ^~ /img/ { proxy_pass http://app; proxy_set_header X-Seen img; }
                    location ~ /\\.ht { deny all; }
                    location ~* \\.(gif|png)$ { proxy_pass http://app; proxy_set_header X-Seen picture; }
                    location /admin { deny all; }
                    location /api/ { rewrite ^/api/(.*)$ /$1 break; proxy_pass http://app; }
                    location /old/ { rewrite ^/old/(.*)$ http://new.example.com/$1 permanent; }
                    location = /teapot { return 418; }
                    location = /gone { return 410 "gone"; default_type text/plain; }
                    location /moved/ { return 302 https://other.example.com$request_uri; }
                    location /health { return 204; }
                    location = /limited { limit_except GET { deny all; } proxy_pass http://app; }
                    location /up/ { proxy_pass http://127.0.0.1:%1$d; proxy_set_header Host $proxy_host; }
                  }
                  server { listen 127.0.0.1:%2$d; server_name *.other.test; location / { return 403; } }
                }
                """.formatted(origin, port);
        Migration made = migrate(Language.NGINX, "nginx.conf", text);
        int weir = port(start(made));
        List<String> different = new ArrayList<>();
        try (Peer _ = Peer.nginx(dir, text, port)) {
            for (String path : PATHS.strip().split("\\s+", -1)) {
                compare("GET", path, "www.example.com", port, weir, different);
                compare("POST", path, "www.example.com", port, weir, different);
            }
            for (String host : List.of("a.other.test", "unknown.test")) {
                compare("GET", "/x", host, port, weir, different);
            }
        }

        assertThat(different).as(made.text()).isEmpty();
        assertThat(made.left()).isEmpty();
    }

    /** Nginx compares decoded paths: however a client encodes one, what is refused there is refused. */
    @Test
    void noEncodingOfAPathPasses() throws Exception {
        int origin = origin();
        int port = freePort();
        String text = """
                events { worker_connections 256; }
                http {
                  access_log off;
                  server {
                    listen 127.0.0.1:%2$d;
                    location / { proxy_pass http://127.0.0.1:%1$d; }
                    location /c++/ { deny all; }
                    location = /@admin { deny all; }
                    location "/q3?x" { deny all; }
                    location ~ "^/~[a-z]+/[^/]{3}$" { deny all; }
                    location ~ \\.(bak|old)$ { deny all; }
                    location ~* "^/files/[^/]*[ <>]" { deny all; }
                    location ~ ^/u/.@x$ { deny all; }
                    location ~ ^/s\\sx { deny all; }
                    location ~ ^/xx/[[:punct:]] { deny all; }
                    location /mapped/ { proxy_pass http://127.0.0.1:%1$d/app/; }
                  }
                }
                """.formatted(origin, port);
        Migration made = migrate(Language.NGINX, "nginx.conf", text);
        int weir = port(start(made));
        List<String> passed = new ArrayList<>();
        int served = 0;
        try (Peer _ = Peer.nginx(dir, text, port)) {
            for (String path : ENCODED.strip().split("\\s+", -1)) {
                int theirs = ask(port, "GET", path, "Host: a").status();
                int ours = ask(weir, "GET", path, "Host: a").status();
                served += ours == 200 ? 1 : 0;
                if (theirs >= 400 && ours < 400) {
                    passed.add(path + ": nginx " + theirs + ", Weir " + ours);
                }
            }
        }
        assertThat(passed).as(made.text()).isEmpty();
        assertThat(served).isEqualTo(6);
    }

    private static final String ENCODED = """
            /c++/x /c%2b%2b/x /c+%2B/x /@admin /%40admin /q3%3fx /~u/a%20c /~u/%C3%A9c /x.bak /x.bak%0a /%78.old
            /files/a%20b /files/a%3Cb /u/%20@x /u/%20%40x /s%20x /s%09x /xx/! /xx/%21 /mapped/..%2fmanager
            /mapped/..%5cmanager /mapped/x/..%2f..%2fmanager
            /c /~u/abcd /x.bakery /files/a_b /u/ab@x /mapped/x
            """;

    private static void compare(String method, String path, String host, int nginx, int weir, List<String> different)
            throws Exception {
        String[] fields = {"Host: " + host, "Content-Length: 0"};
        String theirs = summary(ask(nginx, method, path, fields));
        String ours = summary(ask(weir, method, path, fields));
        boolean both = theirs.equals(ours);
        // Weir refuses ambiguous paths, and lists what is allowed
        boolean closed = (ours.startsWith("400") && path.contains("%2f"))
                || (theirs.startsWith("403") && ours.startsWith("405"));
        if (!both && !closed) {
            different.add(method + " " + host + path + ": nginx " + theirs + ", Weir " + ours);
        }
    }

    private static String summary(Answer a) {
        // nginx completes a path, with its own port
        String location = a.field("Location").replaceFirst("^http://www.example.com(:[0-9]+)?/", "/");
        boolean own = a.status() == 403 || a.status() == 404 || a.status() == 418;
        return a.status() + " " + location
                + (own || (a.status() >= 300 && a.status() < 400)
                        ? ""
                        : " " + a.body().replaceAll("host=(app|127.0.0.1:[0-9]+) ", "host=origin "));
    }

    /** A server of another kind. Lives until closed. */
    record Peer(Process process) implements AutoCloseable {
        static Peer nginx(Path dir, String text, int port) throws Exception {
            Path folder = Files.createDirectories(dir.resolve("nginx"));
            String alone = "daemon off;\nmaster_process off;\npid nginx.pid;\nerror_log " + folder + "/error.log;\n";
            String paths = "http {\n"
                    + List.of("client_body", "proxy", "fastcgi", "uwsgi", "scgi").stream()
                            .map(k -> "  " + k + "_temp_path " + folder.resolve(k) + ";\n")
                            .reduce("", String::concat);
            Path file = Files.writeString(folder.resolve("nginx.conf"), alone + text.replaceFirst("http \\{\n", paths));
            return PeerProcess.start("nginx", port, folder, "-p", folder.toString(), "-c", file.toString());
        }

        @Override
        public void close() {
            process.destroyForcibly();
        }
    }
}

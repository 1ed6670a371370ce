package io.weir.server.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.server.config.WeirConfig;
import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;

/** {@code nginx.conf} translated, loaded and run. */
final class NginxMigrationTest extends MigrateFixture {
    private Migration migrate(String text) throws IOException {
        return migrate(Language.NGINX, "nginx.conf", text);
    }

    private static String server(String body) {
        return "events {}\nhttp {\nserver {\nlisten 127.0.0.1:8080;\n" + body + "\n}\n}\n";
    }

    /** The default server of Debian listens on both families of addresses; a listener of Weir has both. */
    @Test
    void bothFamiliesOfAddressesAreOneListener() throws IOException {
        Migration made = migrate("""
                user www-data;
                worker_processes auto;
                pid /run/nginx.pid;
                events { worker_connections 768; }
                http {
                  sendfile on;
                  tcp_nopush on;
                  default_type application/octet-stream;
                  ssl_prefer_server_ciphers on;
                  access_log access.log;
                  gzip on;
                  server {
                    listen 80 default_server;
                    listen [::]:80 default_server;
                    root /var/www/html;
                    index index.html index.htm index.nginx-debian.html;
                    server_name _;
                    location / { try_files $uri $uri/ =404; }
                  }
                }
                """);

        assertThat(load(made).value().listeners()).containsOnlyKeys("port-80");
        assertThat(load(migrate("events {}\nhttp { server { listen [::]:80; return 204; } }"))
                        .value()
                        .listeners())
                .containsOnlyKeys("port-80");
    }

    @Test
    void everythingThatIsTranslatedIsInItsPlace() throws Exception {
        certificate();
        Migration made = migrate("""
                events { worker_connections 1024; }
                http {
                  log_format main '$remote_addr [$time_local] "$request" $status';
                  access_log logs/a.log main;
                  keepalive_timeout 65; client_header_timeout 1m30s; client_max_body_size 8m;
                  resolver 10.0.0.53 valid=30s;
                  proxy_cache_path FOLDER/nginx keys_zone=c:10m max_size=32m;
                  limit_req_zone $binary_remote_addr zone=one:10m rate=60r/m;
                  upstream app {
                    ip_hash;
                    server 10.0.0.1:8000 weight=2 max_fails=3 fail_timeout=15s;
                    server 10.0.0.2:8000;
                    server 10.0.0.9:8000 down;
                  }
                  server {
                    listen 8443 ssl http2 backlog=99;
                    server_name shop.example.com .shop.test;
                    ssl_certificate c.pem; ssl_certificate_key c.key;
                    location / {
                      proxy_pass http://app;
                      proxy_set_header Host $host; proxy_set_header X-Team blue; proxy_set_header Accept-Encoding "";
                      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
                      proxy_hide_header Server; add_header X-Frame-Options DENY always;
                      proxy_connect_timeout 2s; proxy_read_timeout 90s;
                      proxy_cache c; proxy_cache_use_stale error timeout;
                      limit_req zone=one burst=5 nodelay;
                    }
                  }
                  server { listen 8080 default_server; server_name _; return 301 https://shop.example.com$request_uri; }
                }
                """.replace("c.pem", dir.resolve("c.pem").toString())
                .replace("c.key", dir.resolve("c.key").toString())
                .replace("FOLDER", dir.toString()));
        WeirConfig config = load(made).value();

        assertThat(made.left()).isEmpty();
        assertThat(config.kernel().maxConnections()).isEqualTo(512);
        assertThat(config.kernel().keepAlive().timeout()).hasSeconds(65);
        assertThat(config.kernel().timeOuts().header()).hasSeconds(90);
        assertThat(config.proxy().limits().requestBody().bytes()).isEqualTo(8 << 20);
        assertThat(config.proxy().dns().servers()).containsExactly("10.0.0.53");
        assertThat(config.proxy().clientLimits().requests().requestRate()).isEqualTo(1);
        assertThat(config.proxy().clientLimits().requests().requestBurst()).isEqualTo(6);
        assertThat(config.cache().memoryBudget().bytes()).isEqualTo(32 << 20);
        assertThat(config.proxy().accessLog().custom())
                .isEqualTo("%Ses->client.ip% [%SYSDATE%] \"%Req->reqpb.clf-request%\" %Req->srvhdrs.clf-status%");
        assertThat(named(config.proxy().origins(), "app").servers()).hasSize(2);
        assertThat(named(config.proxy().origins(), "app").balance().toString()).isEqualTo("HASH");
        assertThat(named(config.proxy().origins(), "app").health().failures()).isEqualTo(3);
        assertThat(named(config.listeners(), "port-8443").tls().enabled()).isTrue();
        assertThat(named(config.listeners(), "port-8443").backlog()).isEqualTo(99);
        assertThat(named(config.virtualServers(), "shop-example-com").hosts())
                .containsExactly("shop.example.com", "shop.test", "*.shop.test");
        var route = config.proxy().routes().getFirst();
        assertThat(route.setRequestHeaders()).containsEntry("X-Team", "blue");
        assertThat(route.removeRequestHeaders()).containsExactly("Accept-Encoding");
        assertThat(route.setResponseHeaders()).containsEntry("X-Frame-Options", "DENY");
        assertThat(route.removeResponseHeaders()).containsExactly("Server");
        assertThat(route.timeOuts().connect()).hasSeconds(2);
        assertThat(route.timeOuts().responseHeader()).hasSeconds(90);
        assertThat(route.cache().coverErrors()).hasDays(1);
        assertThat(made.text()).contains("request-body: 8MiB  # nginx.conf:5");
    }

    private void certificate() throws Exception {
        var made = new io.netty.pkitesting.CertificateBuilder()
                .ecp256()
                .subject("CN=shop.example.com")
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
        Files.writeString(dir.resolve("c.pem"), made.getCertificatePEM());
        Files.writeString(dir.resolve("c.key"), made.getPrivateKeyPEM());
    }

    /** What nginx refuses, and no route can say, is refused altogether. */
    @Test
    void refusalsThatHaveNoCounterpartCloseTheLocation() throws Exception {
        int origin = origin();
        String pass = "proxy_pass http://127.0.0.1:" + origin + ";";
        Migration made = migrate(server("""
                location / { PASS }
                location /net/ { allow 10.0.0.0/8; deny all; PASS }
                location /ask/ { auth_request /check; PASS }
                location /if/ { if ($http_x) { return 403; } PASS }
                location /inner/ { internal; PASS }
                location /var/ { proxy_pass http://$backend; }
                location /rw/ { rewrite ^/rw/([a-z]+)/(.*)$ /$2 last; PASS }
                location /sub/ { PASS location ~ \\.sh$ { deny all; } }
                location /files { root /var/www; }
                """.replace("PASS", pass)));
        int port = port(start(made));

        assertThat(ask(port, "GET", "/x").status()).isEqualTo(200);
        for (String path : new String[] {"/net/", "/ask/", "/if/", "/inner/", "/var/", "/rw/a/b", "/sub/x"}) {
            assertThat(ask(port, "GET", path).status()).as(path).isEqualTo(403);
        }
        assertThat(ask(port, "GET", "/files/x").status()).isEqualTo(404);
        assertThat(ask(port, "GET", "/filesystem").status()).isEqualTo(404);
        assertThat(made.left().size()).isGreaterThanOrEqualTo(7);
    }

    @Test
    void expressionThatWeirDoesNotHaveClosesTheServer() throws Exception {
        int origin = origin();
        Migration made = migrate(server(
                "location ~ ^/(?!open) { deny all; }\nlocation / { proxy_pass http://127.0.0.1:" + origin + "; }"));

        assertThat(ask(port(start(made)), "GET", "/x").status()).isEqualTo(403);
        assertThat(made.left()).anyMatch(l -> l.contains("nginx.conf:5: location ~ ^/(?!open)"));
    }

    @Test
    void usersOfItsFileAreThoseThatMayLogIn() throws Exception {
        Files.writeString(dir.resolve("htpasswd"), "ann:$apr1$x\nbob:{SHA}y\n# nobody\n");
        Migration made = migrate(server("""
                location / { auth_basic "closed"; auth_basic_user_file htpasswd; proxy_pass http://127.0.0.1:1; }
                location /other/ { auth_basic "closed"; auth_basic_user_file missing; proxy_pass http://127.0.0.1:1; }
                """));
        WeirConfig config = load(made).value();

        assertThat(config.proxy().routes().get(0).auth().users()).containsExactly("ann", "bob");
        assertThat(config.proxy().routes().get(1).auth().groups()).containsExactly("nginx");
    }

    @Test
    void whatDependsOnCookiesIsNotCached() throws Exception {
        Migration made = migrate("""
                http { proxy_cache_path /c keys_zone=c:1m;
                server { listen 8080; proxy_cache c;
                location /a { proxy_pass http://127.0.0.1:1; proxy_cache_bypass $cookie_s; }
                location /b { proxy_pass http://127.0.0.1:1; proxy_cache_key $uri$cookie_s; }
                location /c { proxy_pass http://127.0.0.1:1; } } }
                """);
        var routes = load(made).value().proxy().routes();

        assertThat(routes.stream()
                        .filter(r -> r.path().equals("/a"))
                        .findFirst()
                        .orElseThrow()
                        .cache()
                        .enabled())
                .isFalse();
        assertThat(routes.stream()
                        .filter(r -> r.path().equals("/b"))
                        .findFirst()
                        .orElseThrow()
                        .cache()
                        .enabled())
                .isFalse();
        assertThat(routes.stream()
                        .filter(r -> r.path().equals("/c"))
                        .findFirst()
                        .orElseThrow()
                        .cache()
                        .enabled())
                .isTrue();
    }

    @Test
    void includesAreReadAndMistakesHaveTheirPlaces() throws Exception {
        Files.createDirectories(dir.resolve("conf.d"));
        Files.writeString(dir.resolve("conf.d/a.conf"), "server {\n  listen 8080;\n  location / { return 204; }\n}\n");
        assertThat(load(migrate("events {}\nhttp { include conf.d/*.conf; }\n"))
                        .value()
                        .proxy()
                        .routes())
                .hasSize(1);

        Files.writeString(dir.resolve("conf.d/b.conf"), "include conf.d/b.conf;\nserver {\n  listen 8080\n}\n");
        Migration broken = migrate("http { include conf.d/*.conf; include gone.conf; }\n}\n");
        assertThat(broken.problems().toString())
                .contains("b.conf:1:1: include")
                .contains("the file includes itself")
                .contains("b.conf:4:1: expected \";\" after \"8080\", found \"}\"")
                .contains("nginx.conf:1:31: include gone.conf: there is no such file")
                .contains("nginx.conf:2:1: this \"}\" closes nothing");
    }
}

package io.weir.server.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The same requests to Squid and to Weir with the translation of its file. Skipped where Squid is not installed. */
@Tag("slow")
final class SquidPeerTest extends MigrateFixture {
    private static final String ALONE = """
            cache_log FOLDER/cache.log
            pid_filename none
            coredump_dir none
            pinger_enable off
            max_filedescriptors 1024
            shutdown_lifetime 0 seconds
            access_log none
            """;

    @Test
    void forwardProxyIsNeverMoreOpenThanSquid() throws Exception {
        int origin = origin();
        int port = freePort();
        String text = """
                http_port 127.0.0.1:%2$d
                acl SSL_ports port 443
                acl Safe_ports port 80 443 1025-65535
                acl bad url_regex -i ^http://127\\.0\\.0\\.1:%1$d/secret \\.exe$ /x[0-9]+y
                acl path urlpath_regex ^/hidden/
                acl delete method DELETE
                acl evil dstdomain -n .evil.test
                http_access deny !Safe_ports
                http_access deny CONNECT !SSL_ports
                http_access deny manager
                http_access deny bad
                http_access deny path
                http_access deny delete
                http_access deny evil
                http_access allow localhost
                http_access deny all
                cache deny all
                visible_hostname squid.test
                """.formatted(origin, port);
        Migration made = migrate(Language.SQUID, "squid.conf", text);
        int weir = port(start(made, "proxy.destinations.allow=[\"127.0.0.0/8\"]"));
        List<String> different = new ArrayList<>();
        int open = 0;
        try (var _ = squid(text, port)) {
            String base = "http://127.0.0.1:" + origin;
            for (String target : List.of(
                    base + "/",
                    base + "/x?y=z",
                    base + "/secret",
                    base + "/%73ecret",
                    base + "/SECRET/a",
                    base + "/a.exe",
                    base + "/a.ex%65",
                    base + "/x12y",
                    base + "/x1%32y",
                    base + "/x12z",
                    base + "/hidden/a",
                    base + "/hidden",
                    base + "/%68idden/",
                    base + "/a/../secret",
                    base + "/squid-internal-mgr/info",
                    "http://u@127.0.0.1:" + origin + "/secret",
                    "http://127.0.0.1:25/",
                    "http://127.0.0.1:1/",
                    "http://evil.test/",
                    "http://a.evil.test/",
                    "http://A.EVIL.TEST./",
                    "ftp://127.0.0.1/")) {
                for (String method : List.of("GET", "DELETE")) {
                    open += compare(method, target, port, weir, different);
                }
            }
            for (String target : List.of("127.0.0.1:25", "127.0.0.1:" + origin, "evil.test:443")) {
                compare("CONNECT", target, port, weir, different);
            }
        }

        assertThat(different).as(made.text()).isEmpty();
        assertThat(open).isGreaterThanOrEqualTo(4);
        assertThat(made.left()).isEmpty();
    }

    @Test
    void serverInFrontOfOthersAnswersAsSquidDoes() throws Exception {
        int origin = origin();
        int port = freePort();
        String text = """
                http_port 127.0.0.1:%2$d accel defaultsite=www.example.com vhost
                cache_peer 127.0.0.1 parent %1$d 0 no-query originserver name=one
                acl ours dstdomain -n www.example.com .example.net
                acl hidden urlpath_regex ^/hidden \\.bak$
                acl get method GET HEAD
                cache_peer_access one allow ours
                cache_peer_access one deny all
                never_direct allow all
                http_access deny hidden
                http_access deny !get
                http_access allow ours
                http_access deny all
                cache deny all
                visible_hostname squid.test
                """.formatted(origin, port);
        Migration made = migrate(Language.SQUID, "squid.conf", text);
        int weir = port(start(made));
        try (var _ = squid(text, port)) {
            for (String host : List.of("www.example.com", "a.example.net", "example.net", "other.test")) {
                for (String path : List.of("/", "/x?y", "/hidden", "/hi%64den/x", "/a.bak", "/a.bak?x", "/open")) {
                    for (String method : List.of("GET", "POST")) {
                        Answer theirs = ask(port, method, path, "Host: " + host, "Content-Length: 0");
                        Answer ours = ask(weir, method, path, "Host: " + host, "Content-Length: 0");
                        assertThat(ours.status() == 200)
                                .as(method + " " + host + path + ": Squid " + theirs.status() + ", Weir "
                                        + ours.status())
                                .isEqualTo(theirs.status() == 200);
                        if (ours.status() == 200) {
                            assertThat(ours.body()).isEqualTo(theirs.body());
                        }
                    }
                }
            }
        }
    }

    /** Notes where Weir passes what Squid refuses, or refuses what both should pass; 1 if both passed it. */
    private static int compare(String method, String target, int squid, int weir, List<String> different)
            throws Exception {
        String host = "Host: " + target.replaceFirst("^[a-z]+://([^/]*@)?", "").replaceFirst("/.*", "");
        int theirs = ask(squid, method, target, host, "Content-Length: 0").status();
        int ours = ask(weir, method, target, host, "Content-Length: 0").status();
        // Weir looks at a path without its dot segments, and refuses what is refused there
        boolean plain = target.matches("http://[0-9.:]+/[^%]*") && !target.contains("/../");
        boolean passed = theirs < 400;
        if ((ours < 400 && !passed) || (plain && passed && ours >= 400)) {
            different.add(method + " " + target + ": Squid " + theirs + ", Weir " + ours);
        }
        return passed && ours < 400 ? 1 : 0;
    }

    private NginxPeerTest.Peer squid(String text, int port) throws Exception {
        // Squid gives up root, and writes there nevertheless
        Path folder = Files.createTempDirectory("weir-migrate-");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        Path file = Files.writeString(folder.resolve("squid.conf"), text + ALONE.replace("FOLDER", folder.toString()));
        // by its service's name it has shared memory of its own: that of another Squid, running or dead, stops its
        // start
        return PeerProcess.start("squid", port, folder, "-N", "-n", "weir" + port, "-f", file.toString());
    }
}

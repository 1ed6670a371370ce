package io.weir.server.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import io.weir.base.ConfigProblem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Broken and hostile configurations of other servers: a list of mistakes with their places, and nothing else. */
class MigrationFuzzTest {
    private static final int TEXTS = 400;

    private static final Map<Language, String> WHOLE = Map.of(
            Language.NGINX, """
                    worker_processes auto;
                    events { worker_connections 768; }
                    http {
                        log_format main '$remote_addr "$request" $status';
                        proxy_cache_path /var/cache keys_zone=one:10m;
                        upstream app { least_conn; server 10.0.0.5:8000 weight=2; server 10.0.0.6:8000 backup; }
                        server {
                            listen 8080; server_name www.example.com *.example.com;
                            location = / { return 302 /start; }
                            location ~* \\.(gif|png)$ { proxy_cache one; proxy_pass http://app; }
                            location /api/ { proxy_pass http://app/v1/; deny 10.0.0.1; allow all; }
                            if ($request_method = "POST") { return 405; }
                        }
                    }
                    """,
            Language.SQUID, """
                    http_port 3128
                    acl office src 10.0.0.0/8 192.168.0.0/16
                    acl bad dstdomain .evil.test
                    acl SSL_ports port 443 \\
                       8443
                    refresh_pattern -i \\.(gif|png)$ 1440 50% 40320
                    cache_peer 10.0.0.7 parent 8000 0 no-query originserver name=app
                    cache_peer_access app allow bad
                    http_access deny bad
                    http_access allow office !SSL_ports
                    http_access deny all
                    cache_mem 256 MB
                    logformat own %>a %ui "%rm %ru" %>Hs
                    access_log stdio:/var/log/access.log own
                    """,
            Language.OBJ_CONF, """
                    Init fn="define-perf-bucket" name="b" description="a b"
                    <Object name="default">
                    NameTrans fn="assign-name" from="(/a|/b/*~*.gif)" name="x" bucket="b"
                    <If $uri =~ "^/c(.*)$" and not $method eq "POST">
                    NameTrans fn="redirect" from="/c" url="http://x.example/$1"
                    </If>
                    <Else>
                    PathCheck fn="deny-service" path="/d.*"
                    </Else>
                    Route fn="set-origin-server" server="http://127.0.0.1:1"
                    Service fn="proxy-retrieve" method="(GET|HEAD)"
                    </Object>
                    <Object name="x"> # comment
                    ObjectType fn="cache-enable"
                    </Object>
                    """);

    private static final List<String> PIECES = List.of(
            "{",
            "}",
            ";",
            "\"",
            "'",
            "\\",
            "#",
            "\n",
            "\r\n",
            "\0",
            "<",
            ">",
            "</Object>",
            "<If",
            "(",
            ")",
            "[",
            "*",
            "?",
            "$",
            "${",
            "$(",
            "~",
            "include *;",
            "include x",
            "\u00e9",
            "\ufeff",
            " ",
            "\t",
            "=",
            "http {",
            "location ",
            "acl a ",
            "!",
            "0x",
            "-1",
            "99999999999999999999",
            "((((((((((((((((",
            "a".repeat(5_000));

    @TempDir
    private Path folder;

    /** Each text with some places changed: what is whole is another file, what is not has mistakes with a place. */
    @ParameterizedTest
    @EnumSource
    void whateverTheTextIsOnlyItsMistakesAreTold(Language language) throws IOException {
        RandomGenerator random = Chance.seeded(5).random();
        Path file = folder.resolve("source.conf");
        String whole = whole(language);
        assertThat(Migration.of(language, file, whole).problems()).isEmpty();
        int wrong = 0;
        for (int i = 0; i < TEXTS; i++) {
            String text = changed(whole, random);
            Files.writeString(file, text);
            Migration made = Migration.of(language, file, text);
            for (ConfigProblem problem : made.problems()) {
                assertThat(problem.at().line()).as("%s\nof\n%s", problem, text).isPositive();
                assertThat(problem.at().column()).isPositive();
            }
            wrong += made.problems().isEmpty() ? 0 : 1;
        }
        assertThat(wrong).isBetween(TEXTS / 10, TEXTS);
    }

    @Test
    void bytesThatAreNoTextAreToldSoToo() throws IOException {
        RandomGenerator random = Chance.seeded(7).random();
        for (Language language : Language.values()) {
            for (int i = 0; i < 50; i++) {
                byte[] bytes = new byte[random.nextInt(2_000)];
                random.nextBytes(bytes);
                Path file = Files.write(folder.resolve("binary.conf"), bytes);
                Migration made = Migration.of(language, file, Migration.read(file));
                assertThat(made.text()).doesNotContain("\0");
            }
        }
    }

    /** What repeats a piece without end is bounded, by depth, by number or by the first mistakes. */
    @ParameterizedTest
    @EnumSource
    void muchOfTheSameHasAnEnd(Language language) {
        Path file = folder.resolve("much.conf");
        for (String piece : PIECES) {
            String much = piece.repeat(Math.max(2, 20_000 / piece.length()));
            Migration made = Migration.of(language, file, much);
            assertThat(made.problems()).hasSizeLessThanOrEqualTo(101);
            assertThat(Migration.of(language, file, whole(language) + much).problems())
                    .hasSizeLessThanOrEqualTo(101);
        }
        // a line that is continued again and again
        Migration made = Migration.of(language, file, "acl a src \\\n".repeat(20_000));
        assertThat(made.problems()).hasSizeLessThanOrEqualTo(101);
    }

    /** Files that include each other, many, or nothing. */
    @ParameterizedTest
    @EnumSource(names = {"NGINX", "SQUID"})
    void includesHaveAnEnd(Language language) throws IOException {
        String end = language == Language.NGINX ? ";\n" : "\n";
        Files.writeString(folder.resolve("a.inc"), "include b.inc" + end);
        Files.writeString(folder.resolve("b.inc"), "include a.inc" + end);
        Files.writeString(folder.resolve("all.inc"), "include *.inc" + end);
        Path file = folder.resolve("source.conf");
        assertThat(Migration.of(language, file, "include a.inc" + end).problems())
                .anyMatch(
                        p -> p.toString().contains("b.inc:1:1") && p.toString().contains("includes itself"));
        assertThat(Migration.of(language, file, "include all.inc" + end).problems())
                .isNotEmpty();
        assertThat(Migration.of(language, file, "include none.inc" + end)
                        .problems()
                        .getFirst())
                .asString()
                .contains("source.conf:1:1")
                .contains("there is no such file");
        for (int i = 0; i < 1_200; i++) {
            Files.writeString(folder.resolve("f" + i + ".inc"), i == 1_199 ? "" : "include f" + (i + 1) + ".inc" + end);
        }
        assertThat(Migration.of(language, file, "include f0.inc" + end).problems())
                .anyMatch(p -> p.what().contains("at most 32"));
        assertThat(Migration.of(language, file, "include f*.inc" + end).problems())
                .anyMatch(p -> p.what().contains("files"));
    }

    private static String whole(Language language) {
        return Objects.requireNonNull(WHOLE.get(language));
    }

    private static String changed(String whole, RandomGenerator random) {
        StringBuilder text = new StringBuilder(whole);
        for (int n = 1 + random.nextInt(4); n > 0; n--) {
            int at = random.nextInt(text.length());
            int to = Math.min(text.length(), at + 1 + random.nextInt(20));
            switch (random.nextInt(4)) {
                case 0 -> text.setLength(Math.max(1, at));
                case 1 -> text.delete(at, Math.max(at, Math.min(to, text.length() - 1)));
                case 2 -> text.insert(at, PIECES.get(random.nextInt(PIECES.size())));
                default -> text.insert(random.nextInt(text.length()), text.substring(at, to));
            }
        }
        byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}

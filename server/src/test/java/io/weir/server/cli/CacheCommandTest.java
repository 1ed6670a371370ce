package io.weir.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.weir.server.cli.text.CacheText;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** What the verb prints, and what it takes. */
final class CacheCommandTest {
    private static final String COPY = """
            {"pid":7,"url":"http://a:80/x","tier":"memory and disk","server":"","forward":false,"status":200,"bytes":5,\
            "stored":"2026-01-31T10:00:00Z","freshUntil":"2026-01-31T10:01:00Z","fresh":false,"age":61,"etag":"\\"1\\"",\
            "lastModified":null,"vary":["accept"],"selected":true,"doubtful":false,"limited":true,"hits":3,\
            "memoryBytes":700,"memory":{"hits":3,"references":1,"bytes":700},\
            "disk":{"partition":"part1","segment":"segment-a","offset":64,"bytes":640,"body":"body-1f","uses":1}}""";

    @Test
    void aCopyIsPrintedWithItsPlaces() {
        assertThat(
                        CacheText.show(
                                "{\"processes\":[{\"pid\":7,\"fetching\":true,\"otherVariantsOnDisk\":[],\"copies\":["
                                        + COPY
                                        + "]},{\"pid\":8,\"fetching\":false,\"otherVariantsOnDisk\":[\"accept\"],\"largestBody\":9000,\"copies\":[]}]}"))
                .isEqualTo("""
                        process 7
                          a fetch for it is in flight
                          http://a:80/x
                            tier         memory and disk
                            status       200
                            body         5 bytes
                            stored       2026-01-31T10:00:00Z
                            fresh until  2026-01-31T10:01:00Z (stale)
                            etag         "1"
                            vary         accept (selected by the fields of this request)
                            memory       700 bytes, 3 hits, 1 references
                            disk         partition part1, segment-a, offset 64, 640 bytes, body in body-1f, 1 uses since it was written
                            only for clients that may reach the address that it was fetched from
                        process 8
                          nothing is stored for it; the largest body that is stored has 9000 bytes
                          variants on disk, by accept: none that these fields select (-H)
                        """);
    }

    @Test
    void theTopIsATable() {
        assertThat(CacheText.top("{\"examined\":9,\"objects\":[" + COPY + "]}")).isEqualTo("""
                hits  memory bytes  age  status  fresh until           process  url
                3     700           61   200     2026-01-31T10:01:00Z  7        http://a:80/x
                9 objects in memory were looked at
                """);
        assertThat(CacheText.top("{\"examined\":0,\"objects\":[]}")).isEqualTo("nothing is stored in memory\n");
    }

    @Test
    void aPurgeTellsWhatWasRemovedAndWhoIsPending() {
        assertThat(CacheText.purged("{\"forgotten\":1}")).isEqualTo("1 object removed");
        String all = "{\"forgotten\":2,\"number\":9,\"pending\":[]}";
        assertThat(CacheText.purged(all))
                .isEqualTo("2 objects removed by the member that was asked; purge 9 of the cluster is applied by all");
        assertThat(CacheText.pending(all)).isFalse();
        String some = "{\"forgotten\":0,\"number\":9,\"pending\":[\"b\",\"c\"],\"note\":\"b, c cannot be reached.\"}";
        assertThat(CacheText.purged(some)).endsWith("applied by all but b, c.\n  b, c cannot be reached.");
        assertThat(CacheText.pending(some)).isTrue();
    }

    /** What is asked of a server that answers each in turn, and the verb's status and output. */
    private static String purge(List<String> answers, List<String> asked, Path token, String... words)
            throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        Iterator<String> next = answers.iterator();
        server.createContext("/", x -> {
            asked.add(x.getRequestMethod() + " " + x.getRequestURI());
            byte[] body = next.next().getBytes(StandardCharsets.UTF_8);
            x.sendResponseHeaders(body[2] == 's' ? 503 : 200, body.length);
            x.getResponseBody().write(body);
            x.close();
        });
        server.start();
        try {
            List<String> all = new ArrayList<>(List.of("cache", "purge"));
            all.addAll(List.of(words));
            all.addAll(List.of("--token-file", token.toString(), "--admin"));
            all.add("127.0.0.1:" + server.getAddress().getPort());
            StringWriter out = new StringWriter();
            CommandLine line = Main.line(all.toArray(String[]::new)).setOut(new PrintWriter(out, true));
            line.setErr(new PrintWriter(out, true));
            return line.execute(all.toArray(String[]::new)) + " " + out;
        } finally {
            server.stop(0);
        }
    }

    @Test
    void eachUrlIsPurgedEncodedAndTheStatusIsThatOfTheWorst(@TempDir Path dir) throws IOException {
        Path token = Files.writeString(dir.resolve("token"), "abc\n");
        String done = "{\"forgotten\":1}\n";
        String pending = "{\"forgotten\":1,\"number\":9,\"pending\":[\"b\"],\"note\":\"b.\"}\n";
        String failed = "{\"status\":503,\"detail\":\"no majority\"}\n";
        List<String> asked = new ArrayList<>();
        assertThat(purge(List.of(done, done), asked, token, "http://a/?b=1&c=2", "https://a/%20"))
                .isEqualTo("0 http://a/?b=1&c=2: 1 object removed\nhttps://a/%20: 1 object removed\n");
        assertThat(asked)
                .containsExactly(
                        "DELETE /cache?url=http%3A%2F%2Fa%2F%3Fb%3D1%26c%3D2",
                        "DELETE /cache?url=https%3A%2F%2Fa%2F%2520");
        assertThat(purge(List.of(pending, done), asked, token, "http://a/", "http://b/"))
                .startsWith("3 http://a/: 1 ");
        assertThat(purge(List.of(failed, pending), asked, token, "http://a/", "http://b/"))
                .startsWith("1 ")
                .contains("weir: http://a/: no majority", "http://b/: 1 object");
        asked.clear();
        assertThat(purge(List.of(pending), asked, token, "--all", "--json")).isEqualTo("3 " + pending);
        assertThat(asked).containsExactly("DELETE /cache?all");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    cache show                         | Missing required parameter: 'URL'
                    cache show http://a/ -H Accept     | -H is "NAME: VALUE", not Accept
                    cache purge                        | what is to be removed? URL... or --all
                    cache purge --all http://a/        | --all removes everything: give no URL with it
                    cache purge ftp://a/b              | a URL is http://... or https://..., without a fragment, not ftp://a/b
                    cache top -n 0                     | -n is a number from 1 to 1000, not 0
                    cache top -n 1001                  | -n is a number from 1 to 1000, not 1001
                    cache top --by age                 | expected one of [hits, bytes]
                    """)
    void wrongUsageIsSaid(String words, String message) {
        String[] all = words.split(" ");
        CommandLine line = Main.line(all);
        StringWriter err = new StringWriter();
        line.setErr(new PrintWriter(err, true));
        assertThat(line.execute(all)).isEqualTo(2);
        assertThat(err.toString()).contains(message);
    }
}

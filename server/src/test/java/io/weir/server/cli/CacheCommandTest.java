package io.weir.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.server.cli.text.CacheText;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
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
            "disk":{"partition":"part1","segment":"segment-a","offset":64,"bytes":640,"uses":1}}""";

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
                            bytes        5
                            stored       2026-01-31T10:00:00Z
                            fresh until  2026-01-31T10:01:00Z (stale)
                            etag         "1"
                            vary         accept (selected by the fields of this request)
                            memory       700 bytes, 3 hits, 1 references
                            disk         partition part1, segment-a, offset 64, 640 bytes, 1 uses since it was written
                            only for clients that may reach the address that it was fetched from
                        process 8
                          nothing is stored for it; the largest body that is stored has 9000 bytes
                          variants on disk, by accept: none that these fields select (-H)
                        """);
    }

    @Test
    void theTopIsATable() {
        assertThat(CacheText.top("{\"examined\":9,\"objects\":[" + COPY + "]}")).isEqualTo("""
                hits  bytes  age  status  fresh until           process  url
                3     700    61   200     2026-01-31T10:01:00Z  7        http://a:80/x
                9 objects in memory were looked at
                """);
        assertThat(CacheText.top("{\"examined\":0,\"objects\":[]}")).isEqualTo("nothing is stored in memory\n");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    cache show                         | Missing required parameter: 'URL'
                    cache show http://a/ -H Accept     | -H is "NAME: VALUE", not Accept
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

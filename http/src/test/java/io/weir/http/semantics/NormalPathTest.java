package io.weir.http.semantics;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.http.semantics.NormalPath.Form;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The normal form of RFC 3986 6.2.2, and how origins may read a path otherwise. */
class NormalPathTest {
    private final NormalPath form = new NormalPath();

    private String written(String path, Form as) {
        byte[] bytes = path.getBytes(StandardCharsets.ISO_8859_1);
        byte[] into = new byte[bytes.length];
        return new String(into, 0, form.write(bytes, 0, bytes.length, into, as), StandardCharsets.ISO_8859_1);
    }

    @ParameterizedTest
    @CsvSource({
        "/a, /a, /a, /a",
        "/%61%2f%2Bb, /a%2F%2Bb, /a/+b, /a/+b",
        "/a//b\\c, /a//b\\c, /a/b/c, /a/b/c",
        "/a/..;x/b, /a/..;x/b, /b, /b",
        "/a;x=1/b;y, /a;x=1/b;y, /a;x=1/b;y, /a/b",
        "/;x/a, /;x/a, /;x/a, /a",
        "/a;x, /a;x, /a;x, /a",
        "/a%3Bx/b, /a%3Bx/b, /a;x/b, /a/b",
        "/a%20b%C3%A9, /a%20b%C3%A9, /a%20b%C3%A9, /a%20b%C3%A9",
        "/a%252fb, /a%252fb, /a%252fb, /a%252fb",
        "/x/../a, /a, /a, /a",
    })
    void aPathIsWrittenInEachForm(String path, String normal, String loose, String withoutParameters) {
        assertThat(written(path, Form.NORMAL)).isEqualTo(normal);
        assertThat(written(normal, Form.LOOSE)).isEqualTo(loose);
        assertThat(written(normal, Form.WITHOUT_PARAMETERS)).isEqualTo(withoutParameters);
    }

    @ParameterizedTest
    @CsvSource({
        "/a/b, false",
        "/a%2Fb, false",
        "/a//b, false",
        "/a/..%2Fb, true",
        "/..%5Cb, true",
        "/a/..;/b, true",
        "/a/.;/b, false",
    })
    void aReadingThatClimbsIsKnown(String normal, boolean climbs) {
        String loose = written(normal, Form.LOOSE);
        assertThat(form.climbs()).as(loose).isEqualTo(climbs);
    }
}

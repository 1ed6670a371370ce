package io.weir.proxy.cache.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.weir.http.FieldName;
import io.weir.http.FieldValues;
import io.weir.http.Version;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is read from the lines of a stored head. */
class StoredHeadTest {
    private static final String STATUS = "HTTP/1.1 200 OK\r\n";

    private static FieldValues conditions(String lines) {
        ByteBuf head = Unpooled.copiedBuffer(STATUS + lines + "body: \"not a field\"\r\n", StandardCharsets.ISO_8859_1);
        int end = STATUS.length() + lines.length();
        StoredHead stored = new StoredHead(200, STATUS.length(), end, end, Version.HTTP_1_1);
        return name -> stored.combined(head, name);
    }

    @Test
    void theFieldsOfConditionsAreReadInWhateverCaseTheOriginWroteThem() {
        FieldValues fields = conditions("""
                dAtE: Thu, 01 Jan 2026 00:00:00 GMT
                X: 1
                eTag: "a: b"
                LAST-modified: Wed, 31 Dec 2025 00:00:00 GMT
                Content-Length: 4
                """.replace("\n", "\r\n"));
        assertThat(fields.combined(FieldName.DATE)).isEqualTo("Thu, 01 Jan 2026 00:00:00 GMT");
        assertThat(fields.combined(FieldName.ETAG)).isEqualTo("\"a: b\"");
        assertThat(fields.combined(FieldName.LAST_MODIFIED)).isEqualTo("Wed, 31 Dec 2025 00:00:00 GMT");
    }

    @Test
    void whatIsNamedAlikeIsNot() {
        FieldValues alike = conditions("Etags: 1\r\nTag: 2\r\nData: 3\r\nLast_Modified: 4\r\nX-Date: 5\r\nEtah: 6\r\n");
        for (FieldName name : List.of(FieldName.ETAG, FieldName.DATE, FieldName.LAST_MODIFIED)) {
            assertThat(alike.combined(name)).isNull();
            assertThat(conditions("").combined(name)).isNull();
        }
    }

    @Test
    void severalOfOneNameAreAllRead() {
        assertThat(conditions("ETag: \"a\"\r\nX: y\r\netag: \"b\"\r\n").combined(FieldName.ETAG))
                .isEqualTo("\"a\", \"b\"");
        assertThat(conditions("ETag: \r\n").combined(FieldName.ETAG)).isEmpty();
    }
}

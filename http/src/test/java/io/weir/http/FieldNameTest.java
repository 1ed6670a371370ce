package io.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class FieldNameTest {
    @Test
    void everyNameIsFoundInEveryCase() {
        for (FieldName name : FieldName.values()) {
            assertThat(FieldName.of(name.canonical())).isEqualTo(name);
            assertThat(FieldName.of(name.canonical().toUpperCase(Locale.ROOT))).isEqualTo(name);
            assertThat(FieldName.of(name.lower())).isEqualTo(name);
        }
    }

    @Test
    void aNameIsFoundInTheMiddleOfOtherBytes() {
        byte[] buf = "\r\ncontent-LENGTH: 5".getBytes(StandardCharsets.ISO_8859_1);
        assertThat(FieldName.of(buf, 2, 16)).isEqualTo(FieldName.CONTENT_LENGTH);
        assertThat(FieldName.of(buf, 2, 15)).isNull();
        assertThat(FieldName.of(buf, 2, 17)).isNull();
    }

    @Test
    void canonicalSpellingsFollowTheRegistry() {
        assertThat(FieldName.CONTENT_LENGTH.canonical()).isEqualTo("Content-Length");
        assertThat(FieldName.ETAG.canonical()).isEqualTo("ETag");
        assertThat(FieldName.TE.canonical()).isEqualTo("TE");
        assertThat(FieldName.WWW_AUTHENTICATE.canonical()).isEqualTo("WWW-Authenticate");
        assertThat(FieldName.HTTP2_SETTINGS.canonical()).isEqualTo("HTTP2-Settings");
    }

    @Test
    void namesThatOnlyLookAlikeAreNotFound() {
        assertThat(FieldName.of("Content_Length")).isNull();
        assertThat(FieldName.of("Content\rLength")).isNull();
        assertThat(FieldName.of("")).isNull();
        assertThat(FieldName.of("\u212Aeep-Alive")).isNull();
        assertThat(FieldName.of("Hos\u00f4")).isNull();
        assertThat(FieldName.of("X-Unknown")).isNull();
    }

    @Test
    void idsFitTheSevenBitsThatFieldsGiveThem() {
        assertThat(FieldName.values().length).isLessThan(128);
    }
}

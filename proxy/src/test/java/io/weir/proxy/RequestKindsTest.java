package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.weir.http.DecoderLimits;
import io.weir.http.Progress;
import io.weir.http.RequestDecoder;
import io.weir.http.RequestHead;
import io.weir.proxy.exchange.RequestKinds;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestKindsTest {
    @ParameterizedTest
    @CsvSource({
        "v.test, v.test",
        "v.test:80, v.test",
        "v.test., v.test",
        "v.test..:8080, v.test",
        "., .",
        "[::1], [::1]",
        "[::1]:80, [::1]",
        "10.0.0.1:1, 10.0.0.1",
    })
    void aVirtualServerIsChosenByTheNameAlone(String host, String name) {
        RequestDecoder decoder = new RequestDecoder(DecoderLimits.DEFAULT);
        String text = "GET / HTTP/1.1\r\nHost: " + host + "\r\n\r\n";
        assertThat(decoder.decode(Unpooled.wrappedBuffer(text.getBytes(StandardCharsets.ISO_8859_1))))
                .isEqualTo(Progress.HEAD);
        RequestHead head = decoder.head();
        int from = head.hostStart();
        assertThat(new String(head.bytes(), from, RequestKinds.hostEnd(head) - from, StandardCharsets.ISO_8859_1))
                .isEqualTo(name);
    }
}

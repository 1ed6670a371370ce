package io.weir.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;

/** Prints the processor time of decoding, per message; not a test, see docs/hot-paths.md. Run it on an idle machine. */
final class DecoderMeasure {
    /** 400 bytes, as a browser sends them. */
    static final String BROWSER_REQUEST = """
            GET /articles/2026/11/index.html?from=front HTTP/1.1\r
            Host: www.example.com\r
            Connection: keep-alive\r
            User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0\r
            Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r
            Accept-Encoding: gzip, deflate, br, zstd\r
            Accept-Language: en-GB,en;q=0.5\r
            Upgrade-Insecure-Requests: 1\r
            Cookie: id=0123456789abcdef\r
            \r
            """;

    static final String SMALL_REQUEST = "GET /1k HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n\r\n";

    static final String RESPONSE = """
            HTTP/1.1 200 OK\r
            Server: origin\r
            Date: Sat, 21 Nov 2026 20:00:00 GMT\r
            Content-Type: text/html; charset=utf-8\r
            Content-Length: 13000\r
            Last-Modified: Fri, 20 Nov 2026 20:00:00 GMT\r
            Connection: keep-alive\r
            ETag: "0123456789abcdef"\r
            Cache-Control: public, max-age=3600\r
            Accept-Ranges: bytes\r
            \r
            """;

    private static final int ROUND = 200_000;

    private DecoderMeasure() {}

    public static void main(String[] args) {
        HeadScratch scratch = new HeadScratch();
        RequestDecoder requests = new RequestDecoder(() -> DecoderLimits.DEFAULT, scratch);
        ResponseDecoder responses = new ResponseDecoder(() -> DecoderLimits.DEFAULT, scratch);
        for (int round = 0; round < 6; round++) {
            print("browser request", BROWSER_REQUEST, requests);
            print("small request", SMALL_REQUEST, requests);
            print("response", RESPONSE, responses);
        }
    }

    private static void print(String what, String message, HeadDecoder decoder) {
        ByteBuf in = buffer(message);
        long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        int heads = 0;
        for (int i = 0; i < ROUND; i++) {
            in.readerIndex(0);
            if (decoder.decode(in) == Progress.HEAD) heads++;
            decoder.reset();
        }
        long nanos = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - start;
        System.out.printf(
                "%-16s %4d bytes %6.1f ns CPU each (%d)%n", what, message.length(), nanos / (double) ROUND, heads);
        in.release();
    }

    static ByteBuf buffer(String message) {
        byte[] bytes = message.getBytes(StandardCharsets.ISO_8859_1);
        return PooledByteBufAllocator.DEFAULT.directBuffer(bytes.length).writeBytes(bytes);
    }
}

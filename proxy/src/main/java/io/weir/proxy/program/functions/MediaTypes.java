package io.weir.proxy.program.functions;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Media types by extension: a table as {@code mime.types}, in the Sun servers' form or in the usual one. Immutable. */
final class MediaTypes {
    /** The types that web sites are made of (IANA's registrations). */
    static final MediaTypes USUAL = parse("""
            text/html html htm
            text/css css
            text/javascript js mjs
            text/plain txt text log
            text/csv csv
            text/markdown md
            text/xml xml xsl
            text/calendar ics
            application/json json map
            application/ld+json jsonld
            application/xhtml+xml xhtml
            application/pdf pdf
            application/zip zip
            application/gzip gz tgz
            application/x-tar tar
            application/java-archive jar war ear
            application/octet-stream bin exe iso dmg
            application/msword doc
            application/vnd.ms-excel xls
            application/vnd.ms-powerpoint ppt
            application/vnd.openxmlformats-officedocument.wordprocessingml.document docx
            application/vnd.openxmlformats-officedocument.spreadsheetml.sheet xlsx
            application/vnd.openxmlformats-officedocument.presentationml.presentation pptx
            application/rtf rtf
            application/wasm wasm
            application/x-ns-proxy-autoconfig pac
            font/woff woff
            font/woff2 woff2
            font/ttf ttf
            font/otf otf
            image/gif gif
            image/jpeg jpeg jpg jpe
            image/png png
            image/svg+xml svg svgz
            image/webp webp
            image/avif avif
            image/bmp bmp
            image/tiff tiff tif
            image/x-icon ico
            audio/mpeg mp3
            audio/ogg ogg oga
            audio/wav wav
            audio/mp4 m4a
            video/mp4 mp4 m4v
            video/webm webm
            video/mpeg mpeg mpg mpe
            video/quicktime qt mov
            magnus-internal/cgi cgi bat
            magnus-internal/imagemap imagemap
            magnus-internal/parsed-html shtml
            """.getBytes(StandardCharsets.US_ASCII));

    private final Map<String, String> byExtension;

    private MediaTypes(Map<String, String> byExtension) {
        this.byExtension = Map.copyOf(byExtension);
    }

    /** Parses lines such as {@code type=text/html exts=htm,html} or {@code text/html htm html}; others are skipped. */
    static MediaTypes parse(byte[] table) {
        Map<String, String> types = new HashMap<>();
        new String(table, StandardCharsets.ISO_8859_1)
                .lines()
                .map(String::strip)
                .forEach(line -> {
                    String[] words = line.split("\\s+", -1);
                    boolean sun = words[0].startsWith("type=");
                    String type = sun ? words[0].substring(5) : words[0];
                    if (type.indexOf('/') < 1 || line.startsWith("#")) {
                        return;
                    }
                    for (int i = 1; i < words.length; i++) {
                        if (!sun) {
                            add(types, words[i], type);
                        } else if (words[i].startsWith("exts=")) {
                            for (String extension : words[i].substring(5).split(",", -1)) {
                                add(types, extension, type);
                            }
                        }
                    }
                });
        return new MediaTypes(types);
    }

    private static void add(Map<String, String> types, String extension, String type) {
        if (!extension.isEmpty()) {
            types.putIfAbsent(extension.toLowerCase(Locale.ROOT), type);
        }
    }

    /** The type of the last extension of a path, in any case; null: it has none, or it is not known. */
    @Nullable
    String of(String path) {
        int dot = path.lastIndexOf('.');
        return dot < 0 || path.indexOf('/', dot) >= 0
                ? null
                : byExtension.get(path.substring(dot + 1).toLowerCase(Locale.ROOT));
    }
}

package io.weir.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** The raw messages under {@code corpus/}: an invalid one is named {@code <label of its fault>--<what>.http}. */
final class Corpus {
    private Corpus() {}

    /** One file; {@code to-HEAD--} before a response's name says the method of its request. */
    static final class Entry {
        private final String name;
        private final Side side;
        private final boolean valid;
        private final byte[] bytes;

        private Entry(String name, Side side, boolean valid, byte[] bytes) {
            this.name = name;
            this.side = side;
            this.valid = valid;
            this.bytes = bytes;
        }

        String name() {
            return name;
        }

        Side side() {
            return side;
        }

        boolean valid() {
            return valid;
        }

        byte[] bytes() {
            return bytes;
        }

        Method method() {
            return name.startsWith("to-") ? Method.of(name.substring(3, name.indexOf("--"))) : Method.GET;
        }

        String reason() {
            return name.substring(0, name.indexOf("--"));
        }

        Transcript decode() {
            return Transcript.of(side, method(), Transcript.SMALL, bytes);
        }

        Transcript decode(List<byte[]> pieces) {
            return Transcript.of(side, method(), Transcript.SMALL, pieces);
        }

        @Override
        public String toString() {
            return (valid ? "valid " : "invalid ") + side + ' ' + name;
        }
    }

    static List<Entry> all() {
        return Stream.of(true, false)
                .flatMap(valid -> Stream.of(Side.values()).flatMap(side -> of(valid, side).stream()))
                .toList();
    }

    static List<Entry> of(boolean valid, Side side) {
        String folder = "/corpus/" + (valid ? "valid" : "invalid") + (side == Side.REQUEST ? "/request" : "/response");
        try (Stream<Path> files = Files.list(path(folder))) {
            return files.filter(file -> file.toString().endsWith(".http"))
                    .sorted()
                    .map(file -> entry(file, side, valid))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Path path(String resource) {
        URL url = Objects.requireNonNull(Corpus.class.getResource(resource), resource);
        try {
            return Path.of(url.toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Entry entry(Path file, Side side, boolean valid) {
        String name = Objects.requireNonNull(file.getFileName()).toString();
        try {
            return new Entry(name.substring(0, name.length() - 5), side, valid, Files.readAllBytes(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

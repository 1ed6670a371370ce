package io.weir.server.migrate;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** The configuration languages that are read. */
public enum Language {
    OBJ_CONF("obj.conf", "(?mi)^\\s*<Object\\s|^\\s*Init\\s+fn\\s*="),
    NGINX("nginx", "(?m)^\\s*(http|server|upstream\\s+\\S+|events)\\s*\\{"),
    SQUID("squid", "(?m)^\\s*(http_access|http_port|acl|cache_peer|https_port)\\s");

    private final String word;
    private final Pattern sign;

    Language(String word, String sign) {
        this.word = word;
        this.sign = Pattern.compile(sign);
    }

    /**
     * The word of {@code --from}.
     *
     */
    public String word() {
        return word;
    }

    /**
     * All words of {@code --from}.
     *
     */
    public static List<String> words() {
        return Arrays.stream(values()).map(Language::word).toList();
    }

    /** The language of that word. */
    public static Optional<Language> named(String word) {
        return Arrays.stream(values()).filter(l -> l.word.equals(word)).findAny();
    }

    /** Where a file is read that is no configuration of its own; empty: it may be one. */
    public static String belongsTo(Path file) {
        String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
        return name.equals("server.xml") || name.equals("magnus.conf")
                ? file + " is read beside its obj.conf: ./weir migrate " + file.resolveSibling("obj.conf")
                : "";
    }

    /** By the file's name, else by its content. */
    public static Optional<Language> of(Path file, String text) {
        String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
        if (name.contains("squid")) {
            return Optional.of(SQUID);
        }
        if (name.contains("nginx")) {
            return Optional.of(NGINX);
        }
        if (name.endsWith("obj.conf")) {
            return Optional.of(OBJ_CONF);
        }
        return Arrays.stream(values()).filter(l -> l.sign.matcher(text).find()).findFirst();
    }
}

package io.weir.server.siblings;

import io.weir.cluster.purge.PurgePosition;
import io.weir.cluster.state.purges.Purge;
import io.weir.cluster.state.purges.PurgeLog;
import io.weir.server.start.Post;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Letters about purges: {@code WORD-position} asks how far a process is, {@code WORD LOG NUMBER WHOLE URL URL} tells it to
 * apply these, after which it is there, and {@code WORD-done LOG NUMBER WHOLE} answers both. Stateless.
 */
public final class PurgeLetter {
    /** The word for purges of a cluster. */
    public static final String CLUSTER = "purge";

    /** The word for purges of a server, which its supervisor numbers. */
    public static final String SERVER = "forget";

    /** For WHOLE: nothing is missing, what the disk kept may be used. */
    public static final String WHOLE = "whole";

    /** For a URL: everything. */
    static final String EVERYTHING = "*";

    /** For a URL: everything, because it is not known what was missed. */
    static final String UNKNOWN = "?";

    /** Of a letter, for its first words. */
    private static final int ROOM = 100;

    private PurgeLetter() {}

    /** The word that asks for a position. */
    public static String position(String word) {
        return word + "-position";
    }

    /** The word of an answer. */
    public static String done(String word) {
        return word + "-done";
    }

    /** The purges after a position, as many as a letter takes. */
    public static String of(String word, PurgeLog log, PurgePosition at) {
        List<Purge> missed = log.missed(at.log(), at.number());
        StringBuilder urls = new StringBuilder();
        long reached = log.last();
        boolean whole = true;
        if (missed == null) {
            urls.append(' ').append(UNKNOWN);
        } else {
            long before = at.number();
            for (Purge purge : missed) {
                String url = url(purge);
                if (urls.length() + url.length() > Post.LONGEST - ROOM) {
                    reached = before;
                    whole = false;
                    break;
                }
                urls.append(' ').append(url);
                before = purge.number();
            }
        }
        return word + " " + log.id() + " " + reached + " " + (whole ? WHOLE : "part") + urls;
    }

    private static String url(Purge purge) {
        if (purge.all()) {
            return EVERYTHING;
        }
        String url = URLEncoder.encode(purge.url(), StandardCharsets.UTF_8).replace("*", "%2A");
        return url.length() > Post.LONGEST / 2 ? EVERYTHING : url;
    }
}

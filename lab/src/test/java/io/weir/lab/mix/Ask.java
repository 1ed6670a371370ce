package io.weir.lab.mix;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One request of a client: what it says, and how its client behaves. The choices are made before anything is sent. Written by
 * its client's thread, read by all: the times are volatile, the rest is final.
 */
final class Ask {
    /** Who asks, by the address that the PROXY header tells. */
    enum Who {
        /** On this machine: may reach this machine. */
        INSIDER("127.0.0.9"),
        /** From elsewhere: may use the forward proxy, but reach this machine only while the rules allow it. */
        OUTSIDER("203.0.113.9"),
        /** May not use the forward proxy. */
        STRANGER("198.51.100.9");

        final String address;

        Who(String address) {
            this.address = address;
        }
    }

    /** How the client takes the answer. */
    enum Manner {
        PLAIN,
        /** Reads in sips, through a small window. */
        SLOW,
        /** Ends its own side first. */
        HALF_CLOSED,
        /** Goes away in the middle. */
        GOES_AWAY
    }

    final long id;
    final String method;
    final Target target;
    final Who who;
    final Manner manner;
    final Plan plan;
    /** The value of the field that some answers vary by. */
    final String language;
    /** Further fields, as lines. */
    final List<String> fields;
    /** The tag of its condition; null without one. */
    final @Nullable String noneMatch;
    /** The tag of the body that it sends; null without one. */
    final @Nullable String body;

    final boolean chunked;
    final boolean expects;
    /** Whether it wants trailers. */
    final boolean trailers;
    /** Whether host and path are spelled in another way. */
    final boolean spelled;

    /** Of an absolute target where the connection has another; null for the usual. */
    final @Nullable String scheme;

    final boolean ranged;
    /** Whether no stored answer may be used without asking the origin. */
    final boolean insists;

    /** Whom its answer waits for; null for nobody. */
    final @Nullable Meeting meeting;

    /** The ledger's time when its first byte was about to be sent, and when its answer or end was there; 0 before. */
    volatile long started;

    volatile long ended;
    /** Whether the client got all of an answer. */
    volatile boolean whole;

    Ask(
            long id,
            Dice dice,
            Target target,
            Who who,
            Manner manner,
            String method,
            boolean http2,
            @Nullable String noneMatch) {
        this.id = id;
        this.method = method;
        this.target = target;
        this.who = who;
        this.manner = manner;
        this.noneMatch = noneMatch;
        this.language = dice.pick(List.of("a", "b", "c"));
        boolean upload = method.equals("POST") || method.equals("PUT");
        int size = dice.below(10);
        boolean bodied = upload && Feature.UPLOADS.isOn();
        // a window of HTTP/2 takes only so much
        this.body = bodied ? (size == 0 && manner == Manner.PLAIN && !http2 ? "b" : "u") + ":" + id + "::0" : null;
        this.chunked = dice.percent(40);
        this.expects = dice.percent(25) && bodied && !http2;
        this.trailers = dice.percent(50);
        this.spelled = dice.percent(15, Feature.SPELLINGS);
        boolean otherScheme = dice.percent(3, Feature.SCHEMES) && !http2 && safe();
        String other = dice.pick(List.of("https", "ftp", "gopher"));
        this.scheme =
                otherScheme ? (target.place() == Target.Place.FORWARD && other.equals("https") ? "ftp" : other) : null;
        this.ranged = dice.percent(12, Feature.RANGES) && method.equals("GET");
        this.insists = dice.percent(10);
        this.plan = Plan.of(dice, target, bodied);
        this.meeting = null;
        this.fields = ranged ? List.of("Range: bytes=" + range(dice)) : List.of();
    }

    /** One without frills, whose answer comes at the same moment as another; or, alone, one for what is stored. */
    Ask(long id, Dice dice, Target target, String method, @Nullable Meeting meeting) {
        this.id = id;
        this.method = method;
        this.target = target;
        this.who = Who.INSIDER;
        this.manner = Manner.PLAIN;
        this.meeting = meeting;
        this.language = "a";
        this.plan = Plan.plain(dice);
        this.fields = meeting == null ? List.of("Cache-Control: only-if-cached") : List.of();
        this.noneMatch = null;
        this.body = null;
        this.scheme = null;
        this.chunked = false;
        this.expects = false;
        this.trailers = false;
        this.spelled = false;
        this.ranged = false;
        this.insists = false;
    }

    private static String range(Dice dice) {
        int from = dice.below(400);
        return switch (dice.below(4)) {
            case 0 -> from + "-";
            case 1 -> "-" + (1 + from);
            default -> from + "-" + (from + dice.below(500));
        };
    }

    boolean head() {
        return method.equals("HEAD");
    }

    boolean safe() {
        return method.equals("GET") || head();
    }

    @Override
    public String toString() {
        return "#" + id + " " + method + " " + target.key() + " of " + who + ", " + manner + ", language " + language
                + ", "
                + fields + (noneMatch == null ? "" : ", if none match " + noneMatch) + (insists ? ", no-cache" : "")
                + (body == null ? "" : ", body " + body) + (spelled ? ", spelled otherwise" : "")
                + (scheme == null ? "" : ", scheme " + scheme) + ", " + plan;
    }
}

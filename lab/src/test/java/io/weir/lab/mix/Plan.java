package io.weir.lab.mix;

import java.util.ArrayList;
import java.util.List;

/**
 * What the origin does with a request, decided where the request is. Immutable.
 *
 * @param trouble what goes wrong
 * @param early answers before it has read the body
 */
record Plan(
        Policy policy,
        Framing framing,
        Trouble trouble,
        boolean early,
        boolean interim,
        boolean trailers,
        boolean changes,
        boolean waits,
        long dice) {

    /** What the answer says to caches. */
    enum Policy {
        SHARED("max-age=600", true),
        ALWAYS_ASK("no-cache", true),
        PRIVATE_FIELD("max-age=600, private=\"X-Own\"", true),
        NO_CACHE_FIELD("max-age=600, no-cache=\"X-Own\"", true),
        NO_STORE("no-store", false),
        PRIVATE("private, max-age=600", false),
        /** With Set-Cookie, and nothing that says it is for all. */
        COOKIE("max-age=600", false);

        final String control;
        final boolean shared;

        Policy(String control, boolean shared) {
            this.control = control;
            this.shared = shared;
        }

        /** Whether a field of it is for one client only. */
        boolean own() {
            return this == PRIVATE_FIELD || this == NO_CACHE_FIELD;
        }
    }

    /** How the end of the body is told. */
    enum Framing {
        LENGTH,
        CHUNKS,
        /** By the end of the connection. */
        CLOSE
    }

    /** What goes wrong. */
    enum Trouble {
        NONE,
        /** Closes the connection afterwards, as it said. */
        SAID_CLOSE,
        /** Closes the connection afterwards without a word. */
        SILENT_CLOSE,
        /** Closes without an answer. */
        NO_ANSWER,
        /** Closes within the head. */
        CUT_HEAD,
        /** Says what is no HTTP. */
        NO_HTTP,
        /** Closes within the body. */
        CUT_BODY,
        /** The body is none, and that in the same write as the head. */
        BAD_BODY,
        /** Another answer behind the first, in the same write. */
        SURPLUS,
        /** A 304 to who asked for no such thing. */
        UNASKED_304;

        /** Whether the client may be told 502, or get less than the whole. */
        boolean fault() {
            return switch (this) {
                case NO_ANSWER, CUT_HEAD, NO_HTTP, CUT_BODY, BAD_BODY, UNASKED_304 -> true;
                case NONE, SAID_CLOSE, SILENT_CLOSE, SURPLUS -> false;
            };
        }
    }

    static Plan of(Dice dice, Target target, boolean upload) {
        int policy = dice.below(100);
        Policy said = policy < 50
                ? Policy.SHARED
                : policy < 65
                        ? Policy.ALWAYS_ASK
                        : dice.pick(List.of(
                                Policy.PRIVATE_FIELD,
                                Policy.NO_CACHE_FIELD,
                                Policy.NO_STORE,
                                Policy.PRIVATE,
                                Policy.COOKIE));
        Framing framing = dice.pick(List.of(Framing.LENGTH, Framing.LENGTH, Framing.CHUNKS, Framing.CLOSE));
        Trouble trouble = trouble(dice, target);
        return new Plan(
                said,
                framing,
                trouble,
                dice.percent(30, Feature.EARLY_ANSWERS) && upload,
                dice.percent(10, Feature.INTERIM),
                dice.percent(20, Feature.TRAILERS) && framing == Framing.CHUNKS,
                dice.percent(10),
                dice.percent(40),
                dice.below(Integer.MAX_VALUE));
    }

    /** Stored, and nothing goes wrong. */
    static Plan plain(Dice dice) {
        return new Plan(
                Policy.SHARED,
                Framing.LENGTH,
                Trouble.NONE,
                false,
                false,
                false,
                true,
                false,
                dice.below(Integer.MAX_VALUE));
    }

    private static Trouble trouble(Dice dice, Target target) {
        List<Trouble> all = new ArrayList<>(List.of(Trouble.SAID_CLOSE));
        if (Feature.FAULTS.isOn()) {
            all.addAll(List.of(Trouble.NO_ANSWER, Trouble.CUT_HEAD, Trouble.NO_HTTP, Trouble.CUT_BODY));
        }
        if (Feature.FAULT_WITH_HEAD.isOn()) {
            all.add(Trouble.BAD_BODY);
        }
        if (Feature.UNASKED_304.isOn()) {
            all.add(Trouble.UNASKED_304);
        }
        if (Feature.SILENT_CLOSE.isOn() && target.place() != Target.Place.SECOND) {
            all.addAll(List.of(Trouble.SILENT_CLOSE, Trouble.SILENT_CLOSE));
        }
        if (Feature.SURPLUS.isOn() && target.place() != Target.Place.SECOND) {
            all.add(Trouble.SURPLUS);
        }
        return dice.percent(18) ? dice.pick(all) : Trouble.NONE;
    }
}

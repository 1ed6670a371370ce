package io.weir.server.migrate.sun;

import io.weir.base.ByteSize;
import io.weir.base.Durations;
import io.weir.base.KnobCatalogue;
import io.weir.base.KnobSpec;
import io.weir.proxy.function.Parameters;
import io.weir.proxy.program.objconf.ObjConfReader.Written;
import io.weir.server.config.WeirConfig;
import io.weir.server.migrate.draft.Findings;
import io.weir.server.migrate.draft.Section;
import java.time.Duration;

/**
 * Numbers, sizes and times of {@code obj.conf} as values that their knobs allow: KB and seconds, or with a unit, as the
 * functions read them. Confined to one migration.
 */
final class ObjConfNumbers {
    private static final KnobCatalogue KNOBS = KnobCatalogue.of(WeirConfig.class);

    private final Findings findings;

    ObjConfNumbers(Findings findings) {
        this.findings = findings;
    }

    /**
     * Sets a knob to what a parameter says, or to the nearest value that it may have, which is noted. What is set stays.
     *
     * @param knob its whole key
     */
    void put(Written w, String parameter, Section into, String knob) {
        String value = w.value(parameter);
        KnobSpec spec = KNOBS.find(knob);
        String key = knob.substring(knob.lastIndexOf('.') + 1);
        if (value == null || spec == null || into.has(key)) {
            return;
        }
        String written = parameter + "=" + value;
        try {
            long base = base(spec, value);
            String bound = bound(spec, base);
            if (!bound.isEmpty()) {
                String what = base > base(spec, bound) ? "at most " : "at least ";
                findings.note(w.at(), written + ": " + knob + " is " + what + bound + ", which is used");
            }
            into.put(key, bound.isEmpty() ? text(spec, value) : bound, w.at());
        } catch (IllegalArgumentException e) {
            findings.left(w.at(), written, String.valueOf(e.getMessage()));
        }
    }

    /** The bound that a value exceeds; empty: none. */
    private static String bound(KnobSpec spec, long base) {
        String most = spec.knob().max();
        String least = spec.knob().min();
        if (!most.isEmpty() && base > limit(spec, most)) {
            return most;
        }
        return !least.isEmpty() && base < limit(spec, least) ? least : "";
    }

    /** A bound of a size has bytes where it has no unit. */
    private static long limit(KnobSpec spec, String text) {
        return spec.type() == ByteSize.class ? ByteSize.parse(text).bytes() : base(spec, text);
    }

    /** Bytes, milliseconds or the number. */
    private static long base(KnobSpec spec, String text) {
        if (spec.type() == ByteSize.class) {
            return Parameters.bytes(text);
        }
        if (spec.type() == Duration.class) {
            return Durations.parse(text).toMillis();
        }
        if (!text.matches("[0-9]{1,18}")) {
            throw new IllegalArgumentException("a whole number is expected");
        }
        return Long.parseLong(text);
    }

    private static String text(KnobSpec spec, String value) {
        if (spec.type() == ByteSize.class) {
            return new ByteSize(Parameters.bytes(value)).toString();
        }
        boolean seconds = spec.type() == Duration.class && value.matches("[0-9]+");
        return seconds ? value + "s" : value;
    }
}

package io.weir.base;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares a configuration key, once: on the record component that holds its value. The declaration feeds validation,
 * the defaults, {@code docs/knobs.md}, {@code PATCH /knobs} and the advice. The key is the component's name in kebab
 * case. The model is Varnish's parameter table.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Knob {
    /** What it does and the trade-off of changing it, in a sentence or two. */
    String doc();

    /** The default in text form; empty means no value (null, empty list or map, or a record of its own defaults). */
    String value() default "";

    /** Unit of a plain number: connections, threads, requests … Durations and sizes include theirs in the text. */
    String unit() default "";

    /** Smallest allowed value in text form; empty: no limit of its own. */
    String min() default "";

    /** Largest allowed value in text form; empty: no limit of its own. */
    String max() default "";

    /** Regular expression that a text, or each of a list, must match; empty: any text. */
    String pattern() default "";

    /** What {@link #pattern} expects, for messages. */
    String form() default "";

    /**
     * The counters to watch when changing it, by their names in {@code /metrics}; a knob has some, or states why not in
     * {@link #unwatched}.
     */
    String[] watch() default {};

    /** Why there is no counter to watch. */
    Unwatched unwatched() default Unwatched.NOT;

    /** Can be changed while the server runs ({@code PATCH /knobs}). */
    boolean dynamic() default false;

    /**
     * Whether {@code auto} is accepted, which binds as -1: the owner derives the value at start and logs it at fine.
     */
    boolean auto() default false;

    /** A value must be configured. */
    boolean required() default false;

    /**
     * The keys of this section are among those of the enclosing section, without its own name in between: for knobs
     * that several sections have. It must be a record.
     */
    boolean inline() default false;

    /** The names that entries of this map may have. */
    EntryNames names() default EntryNames.PLAIN;

    /** Never printed: passwords, tokens. */
    boolean secret() default false;

    /** The name under which users know it: a directive of magnus.conf or server.xml, or a WebLogic attribute. */
    String knownAs() default "";
}

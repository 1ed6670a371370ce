package io.weir.proxy.function;

import io.weir.proxy.program.run.StepOutcome;

/**
 * The stages of a program in which directives run, with the rule by which they run: the table of the Sun proxy's {@code
 * obj.conf}. Immutable.
 */
public enum Stage {
    /** Filters on incoming requests; all run, once. */
    INPUT("Input", Rule.ALL, false),
    /** Authentication; the first directive that does not decline ends the stage for its object. */
    AUTH_TRANS("AuthTrans", Rule.APPLY_ONE, false),
    /** Maps the URL; as above, and the objects that it names are added until there is no new one. */
    NAME_TRANS("NameTrans", Rule.APPLY_ONE, false),
    /** Whether the request is permitted; all run until one aborts. */
    PATH_CHECK("PathCheck", Rule.ALL, false),
    /** Settings; all run, most specific object first, and the first value set stays. */
    OBJECT_TYPE("ObjectType", Rule.FIRST_SETTER, true),
    /** Filters on outgoing answers; all run. */
    OUTPUT("Output", Rule.ALL, false),
    /** Selection of the origin; all run, most specific object first, the first value set stays. */
    ROUTE("Route", Rule.FIRST_SETTER, true),
    /** Resolution of the host's name; the first that does not decline. */
    DNS("DNS", Rule.APPLY_ONE, false),
    /** Making the connection; the first that does not decline. */
    CONNECT("Connect", Rule.APPLY_ONE, false),
    /** Filters on retrieved answers; all run. */
    FILTER("Filter", Rule.ALL, false),
    /** Answering; the first directive, most specific object first, that does not decline. */
    SERVICE("Service", Rule.APPLY_ONE, true),
    /** Records the exchange; all run, always, most specific object first. */
    ADD_LOG("AddLog", Rule.ALL, true),
    /** Answering after a failure; the first that selects the fault and does not decline. */
    ERROR("Error", Rule.APPLY_ONE, true);

    /** The rule by which the directives of a stage run. */
    public enum Rule {
        /** The first outcome other than {@link StepOutcome#NOACTION} ends the stage (in NameTrans: for that object). */
        APPLY_ONE,
        /** All directives run; {@link StepOutcome#ABORTED} ends the stage. */
        ALL,
        /** All directives run; the first value set stays. */
        FIRST_SETTER
    }

    private final String word;
    private final Rule rule;
    private final boolean reverse;

    Stage(String word, Rule rule, boolean reverse) {
        this.word = word;
        this.rule = rule;
        this.reverse = reverse;
    }

    /** The directive's name as written in {@code obj.conf}. */
    public String word() {
        return word;
    }

    /** Which of its directives run. */
    public Rule rule() {
        return rule;
    }

    /** Whether objects are processed in reverse order: the most specific first, {@code default} last. */
    public boolean reverse() {
        return reverse;
    }
}

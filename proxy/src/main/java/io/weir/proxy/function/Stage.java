package io.weir.proxy.function;

import io.weir.proxy.program.run.StepOutcome;

/**
 * The places of a program at which directives run, with the rule by which each is run: the table of the Sun proxy's
 * {@code obj.conf}. Immutable.
 */
public enum Stage {
    /** Filters on what comes in; all run, once. */
    INPUT("Input", Rule.ALL, false),
    /** Who asks; the first directive that does not decline ends the stage for its object. */
    AUTH_TRANS("AuthTrans", Rule.APPLY_ONE, false),
    /** Maps the URL; as above, and the objects that it names are added until none is new. */
    NAME_TRANS("NameTrans", Rule.APPLY_ONE, false),
    /** May it be asked for; all run until one aborts. */
    PATH_CHECK("PathCheck", Rule.ALL, false),
    /** Settings; all run, most specific object first, and who sets a value first wins. */
    OBJECT_TYPE("ObjectType", Rule.FIRST_SETTER, true),
    /** Filters on what goes out; all run. */
    OUTPUT("Output", Rule.ALL, false),
    /** Where it is fetched from; all run, most specific object first, the first setter wins. */
    ROUTE("Route", Rule.FIRST_SETTER, true),
    /** How the host's name is resolved; the first that does not decline. */
    DNS("DNS", Rule.APPLY_ONE, false),
    /** How the connection is made; the first that does not decline. */
    CONNECT("Connect", Rule.APPLY_ONE, false),
    /** Filters on what was retrieved; all run. */
    FILTER("Filter", Rule.ALL, false),
    /** Answers; the first directive, most specific object first, that does not decline. */
    SERVICE("Service", Rule.APPLY_ONE, true),
    /** Records the exchange; all run, always, most specific object first. */
    ADD_LOG("AddLog", Rule.ALL, true),
    /** Answers after a failure; the first that selects the fault and does not decline. */
    ERROR("Error", Rule.APPLY_ONE, true);

    /** How the directives of a stage are run. */
    public enum Rule {
        /** The first outcome other than {@link StepOutcome#NOACTION} ends the stage (in NameTrans: for that object). */
        APPLY_ONE,
        /** All directives run; {@link StepOutcome#ABORTED} ends the stage. */
        ALL,
        /** All directives run; a value that is set stays. */
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

    /** The directive's name as it is written in {@code obj.conf}. */
    public String word() {
        return word;
    }

    /** How many of its directives run. */
    public Rule rule() {
        return rule;
    }

    /** Whether objects are taken in reverse order: the most specific first, {@code default} last. */
    public boolean reverse() {
        return reverse;
    }
}

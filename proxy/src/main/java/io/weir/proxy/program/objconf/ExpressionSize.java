package io.weir.proxy.program.objconf;

/**
 * How large the expression is that is being read, with all that stands in its parentheses and texts: it is evaluated by
 * calls within calls, and must fit the stack of a thread. One for each expression or text of a file; used by one parser.
 */
final class ExpressionSize {
    /** How deeply expressions may be nested. */
    static final int MAX_DEPTH = 64;

    /** Most operators of an expression. */
    static final int MAX_OPERATORS = 500;

    private int depth;
    private int operators;

    void enter(ObjSource source) throws ObjSyntaxException {
        if (++depth > MAX_DEPTH) {
            throw new ObjSyntaxException(
                    source.place(), "the expression is nested too deeply: at most " + MAX_DEPTH + " levels");
        }
    }

    void leave() {
        depth--;
    }

    /** Counts an operator that stands between two expressions. */
    void operator(ObjSource source) throws ObjSyntaxException {
        if (++operators > MAX_OPERATORS) {
            throw new ObjSyntaxException(
                    source.place(), "the expression is too long: at most " + MAX_OPERATORS + " operators");
        }
    }
}

package io.weir.server.history;

/** More series match a query than one answer may hold. */
final class TooMany extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TooMany(String metric, int most) {
        super(metric + " has more than " + most + " sets of label values here: name some labels");
    }
}

package io.weir.lab.bench.process;

/** A contender cannot be measured; the others can. */
public final class ContenderFailure extends BenchFailure {
    private static final long serialVersionUID = 1L;
    private final String contender;

    /** @param contender its name */
    public ContenderFailure(String contender, BenchFailure cause) {
        super(cause.getMessage() == null ? "" : cause.getMessage(), cause);
        this.contender = contender;
    }

    /** The name of the contender. */
    public String contender() {
        return contender;
    }
}

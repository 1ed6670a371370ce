package io.weir.server.figures.work;

import java.util.List;

/** Work managers, request classes and constraints at one moment. Immutable. */
public record WorkFigures(
        Overload overload,
        String mode,
        long modeChanges,
        List<Manager> managers,
        List<RequestClass> classes,
        List<Bound> bounds) {
    /** No figures are known. */
    public static final WorkFigures NONE =
            new WorkFigures(new Overload(false, 0, 0, 0, 0, 0), "", 0, List.of(), List.of(), List.of());

    public WorkFigures {
        managers = List.copyOf(managers);
        classes = List.copyOf(classes);
        bounds = List.copyOf(bounds);
    }

    /**
     * The bounds of all work managers together.
     *
     * @param failed whether the stuck threads have reached the server's trigger
     * @param used requests and work within the shared capacity
     * @param displaced work accepted beyond it that displaced other work
     */
    public record Overload(boolean failed, long failures, long used, long limit, long refused, long displaced) {
        /** The state as shown. */
        public String state() {
            return failed ? "FAILED" : "RUNNING";
        }
    }

    /**
     * A work manager.
     *
     * @param state {@code running} or {@code shut down}
     * @param standby idle threads above those that are kept
     * @param found times that one of its threads was found stuck
     */
    public record Manager(
            String name,
            String state,
            int threads,
            int standby,
            int stuck,
            int hogging,
            int extra,
            long found,
            long shutDowns,
            long completed,
            long refused) {}

    /**
     * A request class with a share or a goal.
     *
     * @param waitNanos sum of all waits
     * @param waits how many waited
     */
    public record RequestClass(String name, long share, long waiting, long completed, long waits, long waitNanos) {}

    /**
     * A constraint.
     *
     * @param kind {@code min-threads}, {@code max-threads} or {@code capacity}
     * @param used threads that run under it, requests within a capacity; 0 for a min-threads constraint
     * @param waiting work that waits under a min-threads constraint
     * @param ended work that ended under a min-threads constraint
     * @param refused work refused by a capacity
     */
    public record Bound(String kind, String name, long used, long waiting, long ended, long refused) {}
}

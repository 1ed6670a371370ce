package io.weir.cluster.state;

/**
 * What a member knows about a singleton while it gets no answer from the cluster. Immutable.
 *
 * @param since what does not answer, and since when, for display
 * @param self this member
 * @param phase stopped if the state records it as running here but it is not; its stage on this member if it still runs
 *     here; otherwise unknown
 * @param held whether this member certainly still holds its lease
 */
public record CutOff(String since, String self, String phase, boolean held) {
    /** The phase of singletons that were not on this member. */
    public static final String UNKNOWN = "unknown";
}

package io.weir.cluster.state;

/**
 * What a member knows of a singleton while the cluster does not answer it. Immutable.
 *
 * @param since what does not answer, and since when, for people
 * @param self this member
 * @param phase stopped where its state has it as running here and it does not; what it is to this member where it runs here yet;
 *     else unknown
 * @param held whether its lease is surely this member's yet
 */
public record CutOff(String since, String self, String phase, boolean held) {
    /** The phase of what was not here. */
    public static final String UNKNOWN = "unknown";
}

package io.weir.cluster.state.members;

/**
 * Whether placement waits for members to join after a start of the whole cluster. Immutable.
 *
 * @param pending if true, nothing is placed until {@link MemberCommand.BootDelayOver} with this version
 * @param version index at which the delay began
 */
public record BootDelay(boolean pending, long version) {}

package io.weir.kernel.work;

/**
 * Where a request runs: its work manager and its request class. Immutable.
 *
 * @param requestClass resolved for the user; {@link RequestClass#DEFAULT} for the work manager's
 */
public record WorkPlace(WorkManager manager, RequestClass requestClass) {}

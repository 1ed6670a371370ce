package io.weir.kernel.work;

/**
 * Where a request runs: under which work manager and in which request class. Immutable.
 *
 * @param requestClass resolved for the user; {@link RequestClass#DEFAULT} for the work manager's
 */
public record WorkPlace(WorkManager manager, RequestClass requestClass) {}

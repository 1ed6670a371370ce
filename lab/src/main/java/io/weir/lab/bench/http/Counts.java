package io.weir.lab.bench.http;

/**
 * What a load counted in a turn. Immutable.
 *
 * @param requests complete answers, or other units
 * @param seconds actual duration
 * @param disturbed socket errors and time-outs
 * @param refused answers other than 2xx and 3xx
 */
public record Counts(long requests, double seconds, long disturbed, long refused) {}

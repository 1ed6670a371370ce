package io.weir.cluster.deploy;

/**
 * Result of a deployment request. Immutable.
 *
 * @param name of the deployment
 * @param text human-readable description of what was done
 */
public record Deployed(String name, String text) {}

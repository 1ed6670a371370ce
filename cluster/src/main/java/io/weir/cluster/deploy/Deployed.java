package io.weir.cluster.deploy;

/**
 * What became of a request to deploy. Immutable.
 *
 * @param name of the deployment
 * @param text what was done, for people
 */
public record Deployed(String name, String text) {}

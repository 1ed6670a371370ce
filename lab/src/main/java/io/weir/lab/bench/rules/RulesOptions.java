package io.weir.lab.bench.rules;

/**
 * The options of {@link RulesCommand}. Immutable.
 *
 * @param rounds turns of each number of rules
 * @param seconds length of a turn under load
 * @param maxRules larger numbers are left out
 * @param install whether missing programs are installed
 * @param seed of the bootstrap
 */
public record RulesOptions(int rounds, int seconds, int maxRules, boolean install, long seed) {}

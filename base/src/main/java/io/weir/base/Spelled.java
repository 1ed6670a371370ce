package io.weir.base;

/**
 * An enumeration whose configuration values are not its constants' names in kebab case ({@code io_uring}, {@code
 * TLSv1.3}).
 */
public interface Spelled {
    /** The spelling in the configuration. */
    String spelling();
}

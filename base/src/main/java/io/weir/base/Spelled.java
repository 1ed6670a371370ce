package io.weir.base;

/** An enumeration whose words in configuration are not its constants' names in kebab case ({@code io_uring}, {@code TLSv1.3}). */
public interface Spelled {
    /** The word as the operator writes it. */
    String spelling();
}

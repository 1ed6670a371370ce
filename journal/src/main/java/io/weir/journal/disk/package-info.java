/**
 * File access of a journal: the directory interface, its implementation on the file system, and reading through a
 * window.
 */
@NullMarked
package io.weir.journal.disk;

import org.jspecify.annotations.NullMarked;

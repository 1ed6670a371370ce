/**
 * The folders and files of the disk tier: where tests put a disk that fails, where Linux is asked what waits, and the
 * small files beside the segments, which tell what a folder is.
 */
@NullMarked
package io.weir.proxy.cache.disk.files;

import org.jspecify.annotations.NullMarked;

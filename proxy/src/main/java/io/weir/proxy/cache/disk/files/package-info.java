/** The folders and files of the disk tier: where tests put a disk that fails, and where Linux is asked what waits. */
@NullMarked
package io.weir.proxy.cache.disk.files;

import org.jspecify.annotations.NullMarked;

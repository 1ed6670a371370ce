/** The journal and the store on a disk that fails at every step. */
@NullMarked
package io.weir.lab.disk;

import org.jspecify.annotations.NullMarked;

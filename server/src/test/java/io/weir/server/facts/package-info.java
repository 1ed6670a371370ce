@NullMarked
package io.weir.server.facts;

import org.jspecify.annotations.NullMarked;

/** What the servers under test run: packed into a jar, and loaded from there. */
@NullMarked
package io.weir.lab.cluster.service;

import org.jspecify.annotations.NullMarked;

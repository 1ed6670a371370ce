/** The cluster's part in the server: the views and changes for operators, and the loading of users' classes. */
@NullMarked
package io.weir.server.cluster;

import org.jspecify.annotations.NullMarked;

/** What the verbs print: tables, and text that terminals can be given. */
@NullMarked
package io.weir.server.cli.text;

import org.jspecify.annotations.NullMarked;

/**
 * What the views show, declared once: a figure with its unit, its source and its place in perfdump, stats-xml, JMX and
 * JSON. The views, the document type and docs/figures.md are made from these declarations.
 */
@NullMarked
package io.weir.server.figures;

import org.jspecify.annotations.NullMarked;

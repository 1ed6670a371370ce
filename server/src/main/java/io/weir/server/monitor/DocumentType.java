package io.weir.server.monitor;

import io.weir.server.figures.FigureGroup;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The document type of stats-xml: a file, in which the attributes of declared figures are filled in. Stateless. */
final class DocumentType {
    /** Name of the file, and last part of the address at which it is served. */
    static final String NAME = "proxystats.dtd";

    /** Created at the first request. */
    private static final class Holder {
        static final String TEXT = filled();
    }

    private DocumentType() {}

    static String text() {
        return Holder.TEXT;
    }

    private static String filled() {
        String text = file();
        for (FigureGroup<?> group : DeclaredFigures.all()) {
            if (group.element().isEmpty()) {
                continue;
            }
            String place = "<!--DECLARED " + group.element() + "-->\n";
            if (!text.contains(place)) {
                throw new IllegalStateException(NAME + " has no place for " + group.element());
            }
            text = text.replace(place, group.attributeList());
        }
        return text;
    }

    private static String file() {
        try (InputStream in = DocumentType.class.getResourceAsStream(NAME)) {
            if (in == null) {
                throw new IllegalStateException(NAME + " is missing in the jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

package io.weir.http.semantics;

import io.weir.http.Fields;

/** Header sections for tests, written as they stand on the wire. */
public final class Lines {

    private Lines() {}

    /** Fields from lines of {@code Name: value}. */
    public static Fields fields(String... lines) {
        Fields fields = new Fields();
        for (String line : lines) {
            int colon = line.indexOf(':');
            fields.add(line.substring(0, colon), line.substring(colon + 1).strip());
        }
        return fields;
    }
}

package io.weir.jms.client;

import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;

/** The raw enumerations of the API as lists. */
final class Listed {
    private Listed() {}

    static List<Object> of(Enumeration<?> elements) {
        List<Object> all = new ArrayList<>();
        while (elements.hasMoreElements()) {
            all.add(elements.nextElement());
        }
        return all;
    }
}

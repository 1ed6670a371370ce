package io.weir.base;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A configuration as written, each node with its place, independent of the file's syntax. Immutable. */
public sealed interface ConfigNode {
    /** Where it was written. */
    Place at();

    /** A place in a configuration source; line and column count from 1, 0 if there is none. */
    record Place(String source, int line, int column) {
        /** For values that are not in a file, such as {@code --set}. */
        public static Place of(String source) {
            return new Place(source, 0, 0);
        }

        @Override
        public String toString() {
            return line == 0 ? source : source + ":" + line + ":" + column;
        }
    }

    /** A text value as written. */
    record Scalar(Place at, String text) implements ConfigNode {}

    /** A list in order. */
    record Sequence(Place at, List<ConfigNode> items) implements ConfigNode {
        public Sequence {
            items = List.copyOf(items);
        }

        /** The item with the index {@code [i]}; null if there is none. */
        @Nullable
        ConfigNode item(String index) {
            String number = index.substring(1, index.length() - 1);
            int i = number.matches("\\d{1,9}") ? Integer.parseInt(number) : items.size();
            return i < items.size() ? items.get(i) : null;
        }
    }

    /** Named values in order; {@code keys} holds the place of each key. */
    record Mapping(Place at, Map<String, ConfigNode> entries, Map<String, Place> keys) implements ConfigNode {
        public Mapping {
            entries = Collections.unmodifiableMap(new LinkedHashMap<>(entries));
            keys = Map.copyOf(keys);
        }

        /** An empty mapping. */
        public static Mapping empty(Place at) {
            return new Mapping(at, Map.of(), Map.of());
        }

        /** The same, at another place. */
        public Mapping movedTo(Place place) {
            return new Mapping(place, entries, keys);
        }

        /** Where a key of this mapping was written; the mapping's own place when it holds no such key. */
        public Place placeOf(String key) {
            return keys.getOrDefault(key, at);
        }

        /** The node at a dotted path, or null if there is none. */
        public @Nullable ConfigNode find(String path) {
            ConfigNode node = this;
            for (String part : KeyPath.names(path)) {
                node = node instanceof Mapping m ? m.entries().get(part) : null;
                if (node == null) {
                    return null;
                }
            }
            return node;
        }

        /**
         * The place of a dotted path, with {@code [i]} for items of lists; if it is not written, that of its nearest
         * written ancestor.
         */
        public Place nearestPlace(String path) {
            ConfigNode here = this;
            Place place = at;
            for (String part : KeyPath.names(path.replace("[", ".["))) {
                ConfigNode next = null;
                if (part.startsWith("[") && here instanceof Sequence list) {
                    next = list.item(part);
                    place = next == null ? place : next.at();
                } else if (here instanceof Mapping m) {
                    next = m.entries().get(part);
                    place = next == null ? place : m.placeOf(part);
                }
                if (next == null) {
                    return place;
                }
                here = next;
            }
            return place;
        }

        /**
         * A copy with one value replaced or added, creating intermediate mappings.
         *
         * @param path a {@link KeyPath}, such as {@code kernel.keep-alive.timeout}
         */
        public Mapping with(String path, ConfigNode value) {
            return with(KeyPath.names(path), value);
        }

        private Mapping with(List<String> names, ConfigNode value) {
            String head = names.get(0);
            Map<String, ConfigNode> changed = new LinkedHashMap<>(entries);
            Map<String, Place> places = new LinkedHashMap<>(keys);
            if (names.size() == 1) {
                changed.put(head, value);
                places.put(head, value.at());
            } else {
                Mapping inner = entries.get(head) instanceof Mapping m ? m : empty(value.at());
                changed.put(head, inner.with(names.subList(1, names.size()), value));
                places.putIfAbsent(head, value.at());
            }
            return new Mapping(at, changed, places);
        }

        /** A copy without the value at a dotted path; a section that becomes empty is removed, too. */
        public Mapping without(String path) {
            return without(KeyPath.names(path));
        }

        private Mapping without(List<String> names) {
            String head = names.get(0);
            Map<String, ConfigNode> changed = new LinkedHashMap<>(entries);
            if (names.size() == 1) {
                changed.remove(head);
            } else {
                changed.computeIfPresent(
                        head,
                        (unusedName, value) ->
                                value instanceof Mapping m ? m.withoutOrNull(names.subList(1, names.size())) : value);
            }
            Map<String, Place> places = new LinkedHashMap<>(keys);
            places.keySet().retainAll(changed.keySet());
            return new Mapping(at, changed, places);
        }

        private @Nullable Mapping withoutOrNull(List<String> names) {
            Mapping left = without(names);
            return left.entries().isEmpty() ? null : left;
        }
    }
}

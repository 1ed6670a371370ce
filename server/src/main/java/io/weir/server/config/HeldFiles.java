package io.weir.server.config;

import io.weir.base.ConfigNode;
import io.weir.base.TextFile;

/**
 * Files that are part of a configuration: their texts are read when it is loaded, and stay with it. So a reload notices
 * a file that changed, other processes and a roll-back run the same text, and a file that is broken afterwards changes
 * nothing. Stateless.
 */
final class HeldFiles {
    /** The keys of such files. */
    private static final String OBJECTS = "proxy.objects";

    private HeldFiles() {}

    /** The configuration with the texts; a file that cannot be read stays a path, and binding reports it. */
    static ConfigNode.Mapping in(ConfigNode.Mapping tree) {
        if (!(tree.find(OBJECTS) instanceof ConfigNode.Scalar path)
                || path.text().isEmpty()) {
            return tree;
        }
        try {
            return tree.with(
                    OBJECTS,
                    new ConfigNode.Scalar(path.at(), TextFile.parse(path.text()).held()));
        } catch (IllegalArgumentException e) {
            return tree;
        }
    }
}

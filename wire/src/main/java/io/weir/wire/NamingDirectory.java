package io.weir.wire;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The server's end of naming. Shared by all connections and called on their loops: it answers from memory. */
public interface NamingDirectory {
    /** What this name stands for, or null. */
    @Nullable
    NamingEntry lookup(String name, Principal user);

    /** The entries whose name begins with the prefix, in the order of their names. */
    List<NamingEntry> list(String prefix, Principal user);

    /** Knows no name. */
    static NamingDirectory empty() {
        return new NamingDirectory() {
            @Override
            public @Nullable NamingEntry lookup(String name, Principal user) {
                return null;
            }

            @Override
            public List<NamingEntry> list(String prefix, Principal user) {
                return List.of();
            }
        };
    }
}

package io.weir.wire.naming;

import io.weir.wire.login.Principal;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The server's directory of names. Shared by all connections and called on their loops: it must answer from memory. */
public interface NamingDirectory {
    /** The entry of this name, or null. */
    @Nullable
    NamingEntry lookup(String name, Principal user);

    /** The entries whose name begins with the prefix, sorted by name. */
    List<NamingEntry> list(String prefix, Principal user);

    /** Combines several directories: an entry of an earlier one hides the same name in a later one. */
    static NamingDirectory of(List<NamingDirectory> directories) {
        List<NamingDirectory> all = List.copyOf(directories);
        return new NamingDirectory() {
            @Override
            public @Nullable NamingEntry lookup(String name, Principal user) {
                for (NamingDirectory d : all) {
                    NamingEntry found = d.lookup(name, user);
                    if (found != null) {
                        return found;
                    }
                }
                return null;
            }

            @Override
            public List<NamingEntry> list(String prefix, Principal user) {
                Map<String, NamingEntry> found = new TreeMap<>();
                for (NamingDirectory d : all) {
                    d.list(prefix, user).forEach(e -> found.putIfAbsent(e.name(), e));
                }
                return List.copyOf(found.values());
            }
        };
    }

    /** An empty directory. */
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

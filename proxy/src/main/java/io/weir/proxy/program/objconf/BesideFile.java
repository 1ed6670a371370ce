package io.weir.proxy.program.objconf;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Paths in a file of the Sun servers: a relative one is beside that file, wherever the server was started. Stateless. */
public final class BesideFile {
    private BesideFile() {}

    /**
     * The path of a file that another file names; what is no path stays as it is.
     *
     * @param where the path of the file that names it
     * @param named as it stands there
     */
    public static String path(String where, String named) {
        try {
            return Path.of(where).resolveSibling(named.strip()).toString();
        } catch (InvalidPathException e) {
            return named;
        }
    }
}

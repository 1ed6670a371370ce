package io.weir.cluster.deploy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * The class path of an archive, in WebLogic's order: {@code APP-INF/classes}, the jars of {@code APP-INF/lib} and
 * {@code lib}, then the archive itself. Nested classes and jars are unpacked into a folder for as long as a class
 * loader uses them; a plain jar needs none. Stateless; blocks.
 */
final class ArchivePath {
    /** Maximum number of jars in an archive. */
    static final int MOST_JARS = 1_000;
    /** Maximum unpacked size, as a multiple of the maximum archive size. */
    static final int MOST_TIMES = 8;

    private static final Pattern JAR = Pattern.compile("(APP-INF/lib|lib)/[^/]+\\.jar");
    private static final String CLASSES = "APP-INF/classes/";
    private static final int BUFFER = 64 * 1024;

    private ArchivePath() {}

    /** Whether it has nested classes or jars. */
    static boolean nested(ZipFile zip) {
        return zip.stream().anyMatch(e -> inside(e.getName()));
    }

    private static boolean inside(String name) {
        return name.startsWith(CLASSES) || JAR.matcher(name).matches();
    }

    /**
     * Unpacks nested classes and jars.
     *
     * @param folder target folder, created if needed
     * @param mostBytes maximum number of unpacked bytes
     */
    static List<Path> of(Path archive, Path folder, long mostBytes) throws IOException, DeployFault {
        List<Path> path = new ArrayList<>();
        try (ZipFile zip = new ZipFile(archive.toFile())) {
            long left = mostBytes;
            for (ZipEntry e : Collections.list(zip.entries())) {
                String name = e.getName();
                if (inside(name) && !e.isDirectory()) {
                    Path to = name.startsWith(CLASSES) ? classes(folder, name) : folder.resolve(name.replace('/', '_'));
                    if (!name.startsWith(CLASSES)) {
                        path.add(to);
                    }
                    if (path.size() > MOST_JARS) {
                        throw new DeployFault("it has more than " + MOST_JARS + " jars in APP-INF/lib and lib");
                    }
                    left -= copy(zip, e, to, left);
                }
            }
        }
        Collections.sort(path);
        if (Files.isDirectory(folder.resolve("classes"))) {
            path.addFirst(folder.resolve("classes"));
        }
        path.add(archive);
        return path;
    }

    private static Path classes(Path folder, String name) throws DeployFault {
        Path classes = folder.resolve("classes");
        Path to = classes.resolve(name.substring(CLASSES.length())).normalize();
        if (!to.startsWith(classes) || to.equals(classes)) {
            throw new DeployFault("it has an entry outside of its folder: " + name);
        }
        return to;
    }

    private static long copy(ZipFile zip, ZipEntry entry, Path to, long most) throws IOException, DeployFault {
        Files.createDirectories(to.getParent());
        long copied = 0;
        try (InputStream in = zip.getInputStream(entry);
                OutputStream out = Files.newOutputStream(to)) {
            byte[] buffer = new byte[BUFFER];
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                copied += n;
                if (copied > most) {
                    throw new DeployFault("its unpacked size exceeds " + MOST_TIMES + " times cluster.deploy.max-size");
                }
                out.write(buffer, 0, n);
            }
        }
        return copied;
    }

    /** Deletes a folder recursively if it exists. */
    static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        List<Path> all;
        try (Stream<Path> walk = Files.walk(folder)) {
            all = walk.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path p : all) {
            Files.deleteIfExists(p);
        }
    }
}

package io.weir.cluster.kit;

import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Compiles users' classes, and puts them into jars. */
public final class Jars {
    public static final String DESCRIPTOR = "META-INF/weblogic-application.xml";

    private Jars() {}

    /** A descriptor with one service. */
    public static String descriptor(String className, String name) {
        return "<weblogic-application xmlns=\"http://xmlns.oracle.com/weblogic/weblogic-application\">\n"
                + "  <singleton-service>\n    <class-name>" + className + "</class-name>\n    <name>" + name
                + "</name>\n  </singleton-service>\n</weblogic-application>\n";
    }

    /**
     * Compiles classes against the tests' class path.
     *
     * @param sources by class name
     * @return a folder with the class files
     */
    public static Path compile(Path folder, Map<String, String> sources) throws IOException {
        List<Path> files = new ArrayList<>();
        for (Map.Entry<String, String> e : sources.entrySet()) {
            Path file = folder.resolve("src/" + e.getKey().replace('.', '/') + ".java");
            Files.createDirectories(file.getParent());
            files.add(Files.writeString(file, e.getValue()));
        }
        Path out = Files.createDirectories(folder.resolve("classes"));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter said = new StringWriter();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            List<String> options =
                    List.of("-proc:none", "-d", out.toString(), "-cp", System.getProperty("java.class.path"));
            boolean done = compiler.getTask(
                            said, manager, null, options, null, manager.getJavaFileObjectsFromPaths(files))
                    .call();
            if (!done) {
                throw new IllegalArgumentException("does not compile:\n" + said);
            }
        }
        return out;
    }

    /** A jar of compiled classes with a descriptor. */
    public static Path jar(Path folder, Map<String, String> sources, String descriptor) throws IOException {
        Map<String, byte[]> entries = new LinkedHashMap<>();
        entries.put(DESCRIPTOR, descriptor.getBytes(StandardCharsets.UTF_8));
        Path classes = compile(folder, sources);
        try (Stream<Path> all = Files.walk(classes)) {
            for (Path p : all.filter(Files::isRegularFile).sorted().toList()) {
                entries.put(classes.relativize(p).toString(), Files.readAllBytes(p));
            }
        }
        return zip(folder.resolve("made.jar"), entries);
    }

    public static Path zip(Path file, Map<String, byte[]> entries) throws IOException {
        try (OutputStream out = Files.newOutputStream(file);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            for (Map.Entry<String, byte[]> e : entries.entrySet()) {
                zip.putNextEntry(new ZipEntry(e.getKey()));
                zip.write(e.getValue());
                zip.closeEntry();
            }
        }
        return file;
    }
}

package io.weir.lab.shape;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.Utf8Entry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The references between the product's top-level classes, read from compiled classes: references of a nested class
 * count for its top-level class. A reference is any name in byte code or a signature. Immutable.
 */
record ClassGraph(Map<String, Set<String>> edges) {
    private static final Pattern OURS = Pattern.compile("L(io/weir/[\\w/]+)");

    /** @param folders compiled main classes, one folder for each room */
    static ClassGraph of(Collection<Path> folders) throws IOException {
        Map<String, Set<String>> uses = new TreeMap<>();
        for (Path folder : folders) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.filter(ClassGraph::isClass).toList()) {
                    ClassModel model = ClassFile.of().parse(file);
                    String name = top(model.thisClass().asInternalName());
                    if (name.startsWith("io.weir.")) {
                        uses.computeIfAbsent(name, n -> new TreeSet<>()).addAll(named(model));
                    }
                }
            }
        }
        uses.forEach((name, used) -> {
            used.remove(name);
            used.retainAll(uses.keySet());
        });
        return new ClassGraph(uses);
    }

    private static boolean isClass(Path file) {
        String name = file.getFileName().toString();
        return name.endsWith(".class") && !name.equals("package-info.class") && !name.equals("module-info.class");
    }

    private static Set<String> named(ClassModel model) {
        Set<String> names = new HashSet<>();
        for (PoolEntry entry : model.constantPool()) {
            switch (entry) {
                case ClassEntry c -> add(names, "L" + c.asInternalName());
                // descriptors and generic signatures
                case Utf8Entry u -> add(names, u.stringValue());
                default -> {}
            }
        }
        return names;
    }

    private static void add(Set<String> names, String signature) {
        Matcher m = OURS.matcher(signature);
        while (m.find()) {
            names.add(top(m.group(1)));
        }
    }

    private static String top(String internal) {
        int nested = internal.indexOf('$');
        return (nested < 0 ? internal : internal.substring(0, nested)).replace('/', '.');
    }

    static String packageOf(String type) {
        return type.substring(0, type.lastIndexOf('.'));
    }

    static String simple(String type) {
        return type.substring(type.lastIndexOf('.') + 1);
    }

    /** The part of the graph that lies within one package. */
    Map<String, Set<String>> within(String name) {
        Map<String, Set<String>> part = new TreeMap<>();
        edges.forEach((type, used) -> {
            if (packageOf(type).equals(name)) {
                Set<String> own = new TreeSet<>(used);
                own.removeIf(u -> !packageOf(u).equals(name));
                part.put(type, own);
            }
        });
        return part;
    }

    /** The names of all packages. */
    Set<String> packages() {
        Set<String> names = new TreeSet<>();
        edges.keySet().forEach(type -> names.add(packageOf(type)));
        return names;
    }
}

package io.weir.lab.shape;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/**
 * Figures from the text of the main sources: files of each package, lines of each file and method, names of top-level
 * classes, and which public methods of the packages that applications link have no comment. Confined to its caller.
 */
final class SourceShape {
    /** Packages that applications link: their public API is read by people who do not know the rest. */
    private static final Set<String> LINKED = Set.of(
            "io.weir.jms",
            "io.weir.wire",
            "io.weir.wire.client",
            "io.weir.wire.invoke",
            "io.weir.wire.login",
            "io.weir.wire.naming",
            "io.weir.cluster",
            "io.weir.cluster.weblogic",
            "io.weir.proxy.function");

    private static final String ROOT = "/src/main/java/";

    final Map<String, Integer> packages = new TreeMap<>();
    final Map<String, Integer> files = new TreeMap<>();
    final Map<String, Integer> methods = new TreeMap<>();
    final Map<String, Set<String>> names = new TreeMap<>();
    final Map<String, Integer> undocumented = new TreeMap<>();

    /** @param sources the main sources of all rooms */
    static SourceShape of(List<Path> sources) throws IOException {
        SourceShape shape = new SourceShape();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
            JavacTask task = (JavacTask) compiler.getTask(
                    null,
                    manager,
                    diagnostic -> {},
                    List.of("-proc:none"),
                    null,
                    manager.getJavaFileObjectsFromPaths(sources));
            DocTrees trees = DocTrees.instance(task);
            for (CompilationUnitTree unit : task.parse()) {
                shape.add(unit, trees);
            }
        }
        for (Path source : sources) {
            try (var lines = Files.lines(source)) {
                shape.files.put(typeName(source), (int) lines.count());
            }
        }
        return shape;
    }

    private static String typeName(Path source) {
        String path = source.toString().replace('\\', '/');
        return path.substring(path.lastIndexOf(ROOT) + ROOT.length(), path.length() - ".java".length())
                .replace('/', '.');
    }

    private void add(CompilationUnitTree unit, DocTrees trees) {
        Tree declared = unit.getPackageName();
        if (declared == null || unit.getTypeDecls().isEmpty()) {
            return;
        }
        String name = declared.toString();
        packages.merge(name, 1, Integer::sum);
        for (Tree type : unit.getTypeDecls()) {
            if (type instanceof ClassTree named) {
                names.computeIfAbsent(named.getSimpleName().toString(), n -> new TreeSet<>())
                        .add(name);
            }
        }
        new Methods(unit, name, trees).scan(unit, null);
    }

    /** Visits each method of a file. */
    private final class Methods extends TreePathScanner<@Nullable Void, @Nullable Void> {
        private final CompilationUnitTree unit;
        private final String name;
        private final DocTrees trees;

        Methods(CompilationUnitTree unit, String name, DocTrees trees) {
            this.unit = unit;
            this.name = name;
            this.trees = trees;
        }

        @Override
        public @Nullable Void visitMethod(MethodTree method, @Nullable Void nothing) {
            long from = line(trees.getSourcePositions().getStartPosition(unit, method));
            long to = line(trees.getSourcePositions().getEndPosition(unit, method));
            methods.merge(owner() + "." + method.getName(), (int) (to - from + 1), Math::max);
            if (LINKED.contains(name) && isPublic(getCurrentPath()) && undocumented(method)) {
                undocumented.merge(owner(), 1, Integer::sum);
            }
            return super.visitMethod(method, null);
        }

        private long line(long position) {
            return unit.getLineMap().getLineNumber(position);
        }

        private String owner() {
            List<String> types = new ArrayList<>();
            for (Tree tree : getCurrentPath()) {
                if (tree instanceof ClassTree type) {
                    types.addFirst(type.getSimpleName().toString());
                }
            }
            return name + "." + String.join(".", types);
        }

        /** Whether it is public, and so are all its enclosing types; members of an interface are public. */
        private static boolean isPublic(TreePath path) {
            boolean inInterface = path.getParentPath().getLeaf().getKind() == Tree.Kind.INTERFACE;
            MethodTree method = (MethodTree) path.getLeaf();
            if (!inInterface && !method.getModifiers().getFlags().contains(Modifier.PUBLIC)) {
                return false;
            }
            for (Tree tree : path) {
                if (tree instanceof ClassTree type
                        && !type.getModifiers().getFlags().contains(Modifier.PUBLIC)) {
                    return false;
                }
            }
            return true;
        }

        /** Whether it has no comment; a method that overrides another inherits that one's. */
        private boolean undocumented(MethodTree method) {
            boolean overrides = method.getModifiers().getAnnotations().stream()
                    .anyMatch(a -> a.getAnnotationType().toString().equals("Override"));
            return !overrides && trees.getDocComment(getCurrentPath()) == null;
        }
    }
}

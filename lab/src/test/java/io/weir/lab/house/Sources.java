package io.weir.lab.house;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** What a syntax tree says about source files: type names, and qualified names that are used. Immutable. */
final class Sources {
    /** Something found in a file at a line. */
    record Found(Path file, long line, String what) {
        @Override
        public String toString() {
            return House.name(file) + ":" + line + ": " + what;
        }
    }

    final List<Found> types = new ArrayList<>();
    final List<Found> uses = new ArrayList<>();

    /** Parses files without resolving anything. */
    static Sources of(List<Path> files) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
            JavacTask task = (JavacTask) compiler.getTask(
                    null, manager, null, List.of("-proc:none"), null, manager.getJavaFileObjectsFromPaths(files));
            Sources sources = new Sources();
            SourcePositions positions = Trees.instance(task).getSourcePositions();
            for (CompilationUnitTree unit : task.parse()) {
                new Scanner(sources, unit, positions).scan(unit, null);
            }
            return sources;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Walks one file. */
    private static final class Scanner extends TreeScanner<Void, Void> {
        private final Sources into;
        private final CompilationUnitTree unit;
        private final SourcePositions positions;
        private final Path file;

        Scanner(Sources into, CompilationUnitTree unit, SourcePositions positions) {
            this.into = into;
            this.unit = unit;
            this.positions = positions;
            this.file = Path.of(unit.getSourceFile().toUri());
        }

        private long line(long position) {
            return unit.getLineMap().getLineNumber(position);
        }

        private Found found(Tree tree, String what) {
            return new Found(file, line(positions.getStartPosition(unit, tree)), what);
        }

        @Override
        public Void visitClass(ClassTree node, Void none) {
            if (!node.getSimpleName().isEmpty()) {
                into.types.add(found(node, node.getSimpleName().toString()));
            }
            return super.visitClass(node, null);
        }

        @Override
        public Void visitMemberSelect(MemberSelectTree node, Void none) {
            into.uses.add(found(node, node.toString()));
            return super.visitMemberSelect(node, null);
        }

        @Override
        public Void visitNewClass(NewClassTree node, Void none) {
            into.uses.add(found(node, "new " + node.getIdentifier()));
            return super.visitNewClass(node, null);
        }
    }
}

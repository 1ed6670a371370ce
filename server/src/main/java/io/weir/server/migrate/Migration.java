package io.weir.server.migrate;

import io.weir.base.ConfigNode.Place;
import io.weir.base.ConfigProblem;
import io.weir.proxy.program.objconf.ObjConfReader;
import io.weir.server.migrate.draft.Findings;
import io.weir.server.migrate.draft.Section;
import io.weir.server.migrate.draft.SourceFile;
import io.weir.server.migrate.draft.YamlDraft;
import io.weir.server.migrate.nginx.NginxMigration;
import io.weir.server.migrate.squid.SquidMigration;
import io.weir.server.migrate.sun.ObjConfMigration;
import io.weir.server.migrate.sun.SunSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The translation of one configuration. Immutable.
 *
 * @param text the {@code weir.yaml}, if there are no problems
 * @param problems mistakes in the source: it is not translated
 * @param left what was not translated, with line and reason
 * @param notes what was translated and differs
 */
public record Migration(String text, List<ConfigProblem> problems, List<String> left, List<String> notes) {
    public Migration {
        problems = List.copyOf(problems);
        left = List.copyOf(left);
        notes = List.copyOf(notes);
    }

    /**
     * The text of a configuration.
     *
     * @throws IOException saying what is wrong with the file
     */
    public static String read(Path file) throws IOException {
        if (Files.isRegularFile(file) && Files.size(file) > SourceFile.MAX) {
            throw new IOException(file + " is larger than " + SourceFile.MAX + " bytes");
        }
        return SourceFile.text(file);
    }

    /** Translates the text of a file; what lies beside it is read, too. */
    public static Migration of(Language language, Path file, String text) {
        Findings findings = new Findings();
        Section root = new Section();
        root.section("listeners");
        switch (language) {
            case OBJ_CONF -> objConf(root, findings, file, text);
            case NGINX -> new NginxMigration(root, findings).translate(file, text);
            case SQUID -> new SquidMigration(root, findings).translate(file, text);
        }
        if (root.section("listeners").isEmpty()) {
            root.section("listeners").section("http").put("port", "8080");
        }
        prune(root);
        return new Migration(
                YamlDraft.text(root, String.valueOf(file.getFileName()), findings),
                findings.problems(),
                findings.left().stream().map(Findings.Remark::toString).toList(),
                findings.notes().stream().map(Findings.Remark::toString).toList());
    }

    private static void prune(Section root) {
        root.entries().values().removeIf(e -> e.value() instanceof Section s && s.isEmpty());
    }

    private static void objConf(Section root, Findings findings, Path file, String text) {
        Map<String, String> variables = new SunSettings(root, findings).translate(file);
        ObjConfReader.Read read = ObjConfReader.read(file.toString(), text, variables);
        findings.problems(read.problems());
        if (read.objects().isEmpty() && read.problems().isEmpty()) {
            findings.problem(new Place(file.toString(), 1, 1), "expected <Object>, found none in the file");
        }
        if (read.problems().isEmpty()) {
            new ObjConfMigration(root, findings).translate(read, variables);
        }
    }
}

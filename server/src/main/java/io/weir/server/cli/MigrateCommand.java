package io.weir.server.cli;

import io.weir.base.ConfigProblem;
import io.weir.base.IoReason;
import io.weir.server.cli.text.PrintableOutput;
import io.weir.server.migrate.Language;
import io.weir.server.migrate.Migration;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code weir migrate}: prints the {@code weir.yaml} that does what another server's configuration says. Exit codes: 0 all
 * was translated, 1 the file is wrong, 3 some was not translated. Lives for one call.
 */
@Command(
        name = "migrate",
        description = "Translates obj.conf, nginx.conf or squid.conf to weir.yaml.",
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:everything was translated",
            "1:the file cannot be read or is wrong",
            "2:wrong usage",
            "3:some of it was not translated: listed with lines and reasons"
        },
        footerHeading = WeirCommand.EXAMPLE,
        footer = "  ./weir migrate nginx.conf")
final class MigrateCommand implements Callable<Integer> {
    /** Some directives have no counterpart. */
    static final int INCOMPLETE = 3;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(
            index = "0",
            paramLabel = "FILE",
            converter = ConfigOptions.NamedFile.class,
            description = "the configuration; files beside it that belong to it are read, too")
    private Path file = Path.of("");

    @Option(
            names = "--from",
            paramLabel = "LANGUAGE",
            description = "obj.conf, nginx or squid; without it the file's name and text decide")
    private @Nullable String from;

    @Override
    public Integer call() {
        PrintWriter err = spec.commandLine().getErr();
        String text = text();
        Migration made = Migration.of(language(text), file, text);
        if (!made.problems().isEmpty()) {
            for (ConfigProblem p : made.problems()) {
                err.println(p);
            }
            int n = made.problems().size();
            err.println("weir: " + n + (n == 1 ? " problem in " : " problems in ") + file + ": nothing was translated");
            return 1;
        }
        PrintableOutput.printContent(spec, made.text());
        list(err, "note", made.notes());
        list(err, "not translated", made.left());
        return made.left().isEmpty() ? 0 : INCOMPLETE;
    }

    private static void list(PrintWriter err, String what, List<String> remarks) {
        remarks.forEach(r -> err.println(what + ": " + r));
    }

    private String text() {
        try {
            return Migration.read(file);
        } catch (IOException e) {
            throw new CliFailure(file + " cannot be read: " + IoReason.ofFile(e), e);
        }
    }

    private Language language(String text) {
        if (!Language.belongsTo(file).isEmpty()) {
            throw new ParameterException(spec.commandLine(), Language.belongsTo(file));
        }
        if (from != null) {
            return Language.named(from)
                    .orElseThrow(() -> new ParameterException(
                            spec.commandLine(),
                            "--from " + from + ": expected " + String.join(", ", Language.words())));
        }
        return Language.of(file, text)
                .orElseThrow(() -> new ParameterException(
                        spec.commandLine(),
                        file + " is none of the known configurations: give --from with "
                                + String.join(", ", Language.words())));
    }
}

package io.weir.server.cli.text;

import io.weir.base.Printable;
import java.io.Console;
import java.io.FilterWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Where verbs print. Text of clients, of other servers and of files passes {@link Printable}, so that none of it gives the
 * terminal a command; bodies of messages, and documents for programs, reach a file or a pipe as they are. Lives for one call.
 */
public final class PrintableOutput extends PrintWriter {
    private final PrintWriter raw;

    /** Prints to the writer, or to what is below it if it escapes already: content must find the way around all escapes. */
    public PrintableOutput(PrintWriter out) {
        super(new Escaping(raw(out)), true);
        this.raw = raw(out);
    }

    /** What writes without escapes, for a usage with colours. */
    public static PrintWriter raw(PrintWriter writer) {
        return writer instanceof PrintableOutput printable ? printable.raw : writer;
    }

    /** Prints a message's body, or a document for programs: as it is, unless to a terminal. */
    public static void printContent(CommandSpec spec, String text) {
        PrintWriter out = spec.commandLine().getOut();
        if (out instanceof PrintableOutput printable && !terminal()) {
            out.flush();
            printable.raw.print(text);
            printable.raw.flush();
        } else {
            out.print(text);
            out.flush();
        }
    }

    /** Whether output goes to a terminal: {@code ./weir} checks it, since Java checks the input, too. */
    private static boolean terminal() {
        String checked = System.getProperty("weir.terminal");
        return checked == null
                ? Optional.ofNullable(System.console()).map(Console::isTerminal).orElse(false)
                : Boolean.parseBoolean(checked);
    }

    /** Escapes what it passes on. Confined to its writer. */
    private static final class Escaping extends FilterWriter {
        Escaping(Writer out) {
            super(out);
        }

        @Override
        public void write(int c) throws IOException {
            out.write(Printable.text(String.valueOf((char) c)));
        }

        @Override
        public void write(char[] text, int from, int length) throws IOException {
            out.write(Printable.text(new String(text, from, length)));
        }

        @Override
        public void write(String text, int from, int length) throws IOException {
            out.write(Printable.text(text.substring(from, from + length)));
        }
    }
}

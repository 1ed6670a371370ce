package io.weir.http;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Writes the missing records of the valid corpus into the folder given as argument (the corpus in the sources). Read
 * what it wrote before you commit it: from then on it is what the tests expect.
 */
final class CorpusRecords {
    private CorpusRecords() {}

    public static void main(String[] args) throws IOException {
        Path valid = Path.of(args[0], "valid");
        for (Corpus.Entry entry : Corpus.all()) {
            if (!entry.valid()) continue;
            Path record =
                    valid.resolve(entry.side().name().toLowerCase(Locale.ROOT)).resolve(entry.name() + ".txt");
            if (Files.exists(record)) continue;
            Files.writeString(record, entry.decode().toString(), StandardCharsets.ISO_8859_1);
            System.out.println("wrote " + record);
        }
    }
}

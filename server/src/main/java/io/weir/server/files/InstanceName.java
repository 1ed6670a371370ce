package io.weir.server.files;

import io.weir.base.Chance;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.regex.Pattern;

/** A unique name of this server, generated at the first start and kept in the data directory. Stateless. */
public final class InstanceName {
    /** Its file in the data directory. */
    public static final String FILE = "instance";

    private static final int BYTES = 4;
    private static final Pattern NAME = Pattern.compile("weir-[0-9a-f]{8}");

    private InstanceName() {}

    /**
     * Reads the name, or generates and writes one.
     *
     * @throws IOException if it cannot be read or written, or is not valid
     */
    public static String openOrCreate(Path dataDir) throws IOException {
        Path file = dataDir.resolve(FILE);
        if (!Files.exists(file)) {
            PrivateFiles.write(file, "weir-" + HexFormat.of().formatHex(Chance.secret(BYTES)) + "\n");
        }
        return read(dataDir);
    }

    /** Reads the name of a data directory that has one. */
    public static String read(Path dataDir) throws IOException {
        Path file = dataDir.resolve(FILE);
        String name = Files.readString(file).strip();
        if (!NAME.matcher(name).matches()) {
            throw new IOException(file + " holds no instance name: delete it and start the server again");
        }
        return name;
    }
}

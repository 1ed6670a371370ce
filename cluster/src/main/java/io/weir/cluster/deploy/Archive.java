package io.weir.cluster.deploy;

import io.weir.cluster.state.singletons.SingletonSpec;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/**
 * A validated jar or EAR; none of its code was executed. Immutable.
 *
 * @param name of the deployment
 * @param sha256 of the contents, 64 hexadecimal digits
 * @param size in bytes
 * @param services the services that it declares
 */
record Archive(String name, String sha256, long size, List<SingletonSpec> services) {
    /** Maximum number of entries. */
    static final int MAX_ENTRIES = 50_000;

    private static final int MAX_DESCRIPTOR = 64 * 1024;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
    private static final int BUFFER = 64 * 1024;

    Archive {
        services = List.copyOf(services);
    }

    /**
     * Reads and validates a file.
     *
     * @param maxSize in bytes
     * @throws DeployFault if it is too large, not a jar, has no or an invalid descriptor, or lacks a declared class
     */
    static Archive read(String name, Path file, long maxSize) throws DeployFault, IOException {
        if (!NAME.matcher(name).matches()) {
            throw new DeployFault(
                    "a deployment's name has 1 to 64 letters, digits, dots, - and _, and begins with a letter"
                            + " or digit: " + name);
        }
        long size = Files.size(file);
        if (size > maxSize) {
            throw new DeployFault(name + " has " + size + " bytes; cluster.deploy.max-size allows " + maxSize);
        }
        return new Archive(name, digest(file), size, services(name, file));
    }

    private static List<SingletonSpec> services(String name, Path file) throws DeployFault, IOException {
        try (ZipFile zip = new ZipFile(file.toFile())) {
            if (zip.size() > MAX_ENTRIES) {
                throw new DeployFault(name + " has " + zip.size() + " files; the maximum is " + MAX_ENTRIES);
            }
            List<SingletonSpec> specs = new ArrayList<>();
            for (Descriptor.Service s : descriptor(name, zip).services()) {
                String path = s.className().replace('.', '/') + ".class";
                if (zip.getEntry(path) == null && !ArchivePath.nested(zip)) {
                    throw new DeployFault(name + " declares the class " + s.className() + " and has no " + path);
                }
                specs.add(SingletonSpec.of(s.name(), s.className())
                        .deployedBy(name)
                        .attempting(s.additionalAttempts(), s.pauseMillis()));
            }
            return specs;
        } catch (ZipException e) {
            throw new DeployFault(name + " is not a jar, or a corrupt one: " + e.getMessage(), e);
        }
    }

    private static Descriptor descriptor(String name, ZipFile zip) throws DeployFault, IOException {
        ZipEntry entry = zip.getEntry(Descriptor.PATH);
        if (entry == null) {
            throw new DeployFault(name + " has no " + Descriptor.PATH);
        }
        try (InputStream in = zip.getInputStream(entry)) {
            byte[] xml = in.readNBytes(MAX_DESCRIPTOR + 1);
            if (xml.length > MAX_DESCRIPTOR) {
                throw new DeployFault(Descriptor.PATH + " is longer than " + MAX_DESCRIPTOR + " bytes");
            }
            return Descriptor.read(xml);
        }
    }

    /** SHA-256 of a file's contents in hexadecimal. */
    static String digest(Path file) throws IOException {
        MessageDigest digest = newDigest();
        try (InputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
            byte[] buffer = new byte[BUFFER];
            int n = 0;
            while (n >= 0) {
                n = in.read(buffer);
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static MessageDigest newDigest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}

package io.weir.wire.invoke.description;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;

/**
 * The classes that a class file names: the entries CONSTANT_Class of its constant pool (Java Virtual Machine
 * Specification, section 4.4). Our own reader, because the platform has none before Java 24. Stateless.
 */
final class NamedClasses {
    private static final int MAGIC = 0xcafebabe;

    private static final int UTF8 = 1;
    private static final int INTEGER = 3;
    private static final int FLOAT = 4;
    private static final int LONG = 5;
    private static final int DOUBLE = 6;
    private static final int CLASS = 7;
    private static final int STRING = 8;
    private static final int FIELD = 9;
    private static final int METHOD = 10;
    private static final int INTERFACE_METHOD = 11;
    private static final int NAME_AND_TYPE = 12;
    private static final int METHOD_HANDLE = 15;
    private static final int METHOD_TYPE = 16;
    private static final int DYNAMIC = 17;
    private static final int INVOKE_DYNAMIC = 18;
    private static final int MODULE = 19;
    private static final int PACKAGE = 20;

    private NamedClasses() {}

    /**
     * The names as {@link Class#getName} has them.
     *
     * @throws IOException if this is no class file, or one of a kind that did not exist when this was written
     */
    static Set<String> in(byte[] classFile) throws IOException {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(classFile))) {
            if (in.readInt() != MAGIC) {
                throw new IOException("no class file");
            }
            // the version
            in.skipNBytes(4);
            int entries = in.readUnsignedShort();
            String[] texts = new String[entries];
            int[] classes = new int[entries];
            for (int i = 1; i < entries; i++) {
                int tag = in.readUnsignedByte();
                switch (tag) {
                    case UTF8 -> texts[i] = in.readUTF();
                    case CLASS -> classes[i] = in.readUnsignedShort();
                    default -> in.skipNBytes(length(tag));
                }
                if (tag == LONG || tag == DOUBLE) {
                    // they take two places
                    i++;
                }
            }
            return names(texts, classes);
        }
    }

    private static Set<String> names(String[] texts, int[] classes) throws IOException {
        Set<String> names = new HashSet<>();
        for (int place : classes) {
            if (place != 0) {
                String name = place < texts.length ? texts[place] : null;
                if (name == null) {
                    throw new IOException("a class without a name");
                }
                names.add(name.replace('/', '.'));
            }
        }
        return names;
    }

    private static int length(int tag) throws IOException {
        return switch (tag) {
            case STRING, METHOD_TYPE, MODULE, PACKAGE -> 2;
            case METHOD_HANDLE -> 3;
            case INTEGER, FLOAT, FIELD, METHOD, INTERFACE_METHOD, NAME_AND_TYPE, DYNAMIC, INVOKE_DYNAMIC -> 4;
            case LONG, DOUBLE -> 8;
            default -> throw new IOException("a constant with the tag " + tag);
        };
    }
}

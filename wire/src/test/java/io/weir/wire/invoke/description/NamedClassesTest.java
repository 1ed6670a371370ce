package io.weir.wire.invoke.description;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.constantpool.ClassEntry;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The reader of class files finds what the platform's finds, and refuses what is none. */
class NamedClassesTest {
    private static byte[] file(Class<?> type) throws IOException {
        try (InputStream in = type.getResourceAsStream("/" + type.getName().replace('.', '/') + ".class")) {
            return Objects.requireNonNull(in).readAllBytes();
        }
    }

    private static Set<String> expected(byte[] file) {
        Set<String> names = new HashSet<>();
        ClassFile.of().parse(file).constantPool().forEach(entry -> {
            if (entry instanceof ClassEntry c) {
                names.add(c.asInternalName().replace('/', '.'));
            }
        });
        return names;
    }

    @Test
    void itFindsTheClassesThatThePlatformFinds() throws IOException {
        for (Class<?> type : List.of(
                NamedClassesTest.class, CallersTypes.class, String.class, Math.class, io.netty.buffer.ByteBuf.class)) {
            byte[] file = file(type);
            assertThat(NamedClasses.in(file)).as(type.getName()).isEqualTo(expected(file));
        }
    }

    @Test
    void aFileThatEndsEarlyIsRefused() throws IOException {
        byte[] file = file(NamedClasses.class);
        for (int length = 0; length < 100; length++) {
            byte[] part = Arrays.copyOf(file, length);
            assertThatThrownBy(() -> NamedClasses.in(part)).isInstanceOf(IOException.class);
        }
    }

    @Test
    void whatIsNoClassFileIsRefused() throws IOException {
        byte[] file = file(NamedClasses.class);
        file[0] = 0;
        assertThatThrownBy(() -> NamedClasses.in(file)).hasMessage("no class file");
        byte[] unknownTag = {(byte) 0xca, (byte) 0xfe, (byte) 0xba, (byte) 0xbe, 0, 0, 0, 61, 0, 2, 99};
        assertThatThrownBy(() -> NamedClasses.in(unknownTag)).hasMessage("a constant with the tag 99");
        byte[] nameless = {(byte) 0xca, (byte) 0xfe, (byte) 0xba, (byte) 0xbe, 0, 0, 0, 61, 0, 2, 7, 0, 9};
        assertThatThrownBy(() -> NamedClasses.in(nameless)).hasMessage("a class without a name");
    }
}

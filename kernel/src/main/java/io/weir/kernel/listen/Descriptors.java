package io.weir.kernel.listen;

import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** Duplicates descriptors of the operating system. Stateless. */
final class Descriptors {
    private Descriptors() {}

    /** A second, independent descriptor for the same socket (dup(2)). */
    // Calling dup is a restricted operation; native access is granted to Weir for epoll anyway.
    @SuppressWarnings("restricted")
    static int duplicate(int descriptor) throws IOException {
        Linker linker = Linker.nativeLinker();
        MethodHandle dup = linker.downcallHandle(
                linker.defaultLookup().findOrThrow("dup"),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
        int copy;
        try {
            copy = (int) dup.invokeExact(descriptor);
        } catch (Throwable e) {
            throw new IOException("dup could not be called", e);
        }
        if (copy < 0) {
            throw new IOException("dup failed: too many open files");
        }
        return copy;
    }
}

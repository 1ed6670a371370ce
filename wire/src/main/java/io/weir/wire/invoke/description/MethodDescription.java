package io.weir.wire.invoke.description;

import io.netty.buffer.ByteBuf;
import io.weir.wire.WireReader;
import io.weir.wire.invoke.Idempotent;
import io.weir.wire.invoke.UnfitInterface;
import io.weir.wire.invoke.codec.Codec;
import io.weir.wire.invoke.codec.CodecCompiler;
import io.weir.wire.invoke.codec.CodecFault;
import io.weir.wire.invoke.codec.Pass;
import io.weir.wire.invoke.codec.ResolvedType;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One method of a described interface. Immutable; shared by all calls. */
public final class MethodDescription {
    private final Method method;
    private final long id;
    private final String signature;
    private final Codec[] parameters;
    private final Codec result;
    private final List<Class<?>> thrown;
    private final boolean idempotent;

    MethodDescription(
            Class<?> type, Method method, List<ResolvedType> parameters, ResolvedType result, CodecCompiler compiler) {
        this.method = method;
        method.setAccessible(true);
        this.id = Hash.of(method.getName() + descriptor(method));
        this.parameters = new Codec[parameters.size()];
        for (int i = 0; i < parameters.size(); i++) {
            try {
                this.parameters[i] = compiler.codec(parameters.get(i));
            } catch (UnfitInterface e) {
                throw new UnfitInterface("parameter " + (i + 1) + ": " + e.getMessage());
            }
        }
        try {
            this.result = compiler.codec(result);
        } catch (UnfitInterface e) {
            throw new UnfitInterface("result: " + e.getMessage());
        }
        this.thrown = List.of(method.getExceptionTypes());
        this.signature = method.getName() + parameters + result + " throws "
                + thrown.stream().map(Class::getName).toList();
        this.idempotent = method.isAnnotationPresent(Idempotent.class) || type.isAnnotationPresent(Idempotent.class);
    }

    /** The method's erased types as in the class file. */
    static String descriptor(Method method) {
        return MethodType.methodType(method.getReturnType(), method.getParameterTypes())
                .toMethodDescriptorString();
    }

    public Method method() {
        return method;
    }

    public long id() {
        return id;
    }

    String key() {
        return method.getName() + descriptor(method);
    }

    /** Its types with generics, for the interface's hash. */
    String signature() {
        return signature;
    }

    public boolean idempotent() {
        return idempotent;
    }

    /** The exceptions it declares, in this order. */
    public List<Class<?>> thrown() {
        return thrown;
    }

    public void writeArguments(ByteBuf out, @Nullable Object @Nullable [] arguments) {
        Pass pass = new Pass();
        for (int i = 0; i < parameters.length; i++) {
            parameters[i].write(pass, out, arguments == null ? null : arguments[i]);
        }
    }

    /** Reads the arguments, which must be all remaining bytes. */
    @Nullable
    public Object[] readArguments(ByteBuf in) {
        return guarded(in, pass -> {
            @Nullable Object[] arguments = new @Nullable Object[parameters.length];
            for (int i = 0; i < arguments.length; i++) {
                arguments[i] = parameters[i].read(pass, in);
            }
            return arguments;
        });
    }

    public void writeResult(ByteBuf out, @Nullable Object value) {
        result.write(new Pass(), out, value);
    }

    @Nullable
    public Object readResult(ByteBuf in) {
        return guarded(in, pass -> Optional.ofNullable(result.read(pass, in))).orElse(null);
    }

    private interface Reading<T> {
        T read(Pass pass);
    }

    /** Decodes all remaining bytes; converts the exceptions that platform types throw for values out of range. */
    private static <T> T guarded(ByteBuf in, Reading<T> reading) {
        try {
            T read = reading.read(new Pass());
            WireReader.end(in);
            return read;
        } catch (CodecFault e) {
            throw e;
        } catch (RuntimeException e) {
            throw new CodecFault(String.valueOf(e.getMessage()), e);
        }
    }

    @Override
    public String toString() {
        return method.getDeclaringClass().getName() + "." + method.getName()
                + Arrays.stream(method.getParameterTypes())
                        .map(Class::getSimpleName)
                        .toList();
    }
}

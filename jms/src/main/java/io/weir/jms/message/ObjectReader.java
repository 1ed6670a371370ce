package io.weir.jms.message;

import jakarta.jms.MessageFormatException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InvalidObjectException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.util.Collection;
import java.util.Map;

/** Deserialises one object under {@link ObjectRules}. Classes come from the thread's context class loader. Confined to one call. */
final class ObjectReader extends ObjectInputStream {
    private final ObjectRules rules;
    private final HashWeights weights = new HashWeights();
    private long references;
    private String refusal = "";

    private ObjectReader(InputStream in, ObjectRules rules) throws IOException {
        super(in);
        this.rules = rules;
        enableResolveObject(true);
        setObjectInputFilter(info -> {
            String why = rules.refusal(info);
            references = info.references();
            if (why.isEmpty()) {
                return info.serialClass() == null
                        ? ObjectInputFilter.Status.UNDECIDED
                        : ObjectInputFilter.Status.ALLOWED;
            }
            refusal = why;
            return ObjectInputFilter.Status.REJECTED;
        });
    }

    static Serializable read(byte[] bytes, ObjectRules rules) throws MessageFormatException {
        String refusal = "";
        try {
            ObjectReader in = new ObjectReader(new ByteArrayInputStream(bytes), rules);
            try (in) {
                return (Serializable) in.readObject();
            } finally {
                refusal = in.refusal;
            }
        } catch (IOException | ClassNotFoundException | RuntimeException | LinkageError | StackOverflowError e) {
            String why = refusal.isEmpty() ? e.toString() : refusal;
            throw Faults.because(new MessageFormatException("the object of the message can not be read: " + why), e);
        }
    }

    /** Called for each object when it is read, before its container uses it. */
    @Override
    protected Object resolveObject(Object object) throws IOException {
        boolean container = object instanceof Collection || object instanceof Map || object instanceof Map.Entry;
        if (container && !rules.lists(object.getClass().getName()) && !weights.allows(object, references)) {
            refusal =
                    "collections contain one another so often that their hash codes are too expensive; to allow it, list "
                            + object.getClass().getName() + " in the connection factory's deserialization-allow-list";
            throw new InvalidObjectException(refusal);
        }
        return object;
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass description) throws IOException, ClassNotFoundException {
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        if (loader != null) {
            try {
                return Class.forName(description.getName(), false, loader);
            } catch (ClassNotFoundException unknownThere) {
                return super.resolveClass(description);
            }
        }
        return super.resolveClass(description);
    }
}

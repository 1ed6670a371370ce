package io.weir.cluster.singleton;

import io.weir.cluster.SingletonService;
import io.weir.cluster.weblogic.Adapted;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An instance of a user's class, ready to be activated. Immutable; lives for one activation.
 *
 * @param service the service that is called
 * @param instance the user's object: the same as {@code service}, or the one it adapts
 */
public record ServiceObject(SingletonService service, Object instance) {
    /**
     * Creates an instance with the public constructor that takes a {@code Map} if there is one, otherwise with the one
     * without parameters.
     *
     * @throws ServiceFault if the class is missing, implements neither singleton service interface, or its constructor
     *     fails
     */
    public static ServiceObject create(String className, Map<String, String> properties, ClassLoader from)
            throws ServiceFault {
        Class<?> type = load(className, true, from);
        boolean ours = shaped(type);
        Object made = construct(type, properties);
        return made instanceof io.weir.cluster.weblogic.SingletonService weblogic && !ours
                ? new ServiceObject(new Adapted(weblogic), made)
                : new ServiceObject((SingletonService) made, made);
    }

    /**
     * Loads and links a class, and checks whether {@link #create} could instantiate it; executes none of its code, not
     * even its initializer.
     *
     * @throws ServiceFault as {@code create}
     */
    public static void link(String className, ClassLoader from) throws ServiceFault {
        Class<?> type = load(className, false, from);
        var _ = shaped(type);
        try {
            // Reflection of the members links the class: its supertypes and its members' types must be present.
            var _ = type.getDeclaredMethods();
            var _ = type.getDeclaredFields();
            if (!Modifier.isPublic(type.getModifiers()) || Modifier.isAbstract(type.getModifiers())) {
                throw new ServiceFault(className + " is not a public class that can be instantiated");
            }
            if (withProperties(type) == null) {
                var _ = type.getConstructor();
            }
        } catch (NoSuchMethodException e) {
            throw new ServiceFault(className + " has no public constructor without parameters", e);
        } catch (LinkageError e) {
            throw new ServiceFault(className + " from " + named(from) + " cannot be linked: " + e, e);
        }
    }

    /** Whether it implements Weir's interface; otherwise it implements WebLogic's. */
    private static boolean shaped(Class<?> type) throws ServiceFault {
        boolean ours = SingletonService.class.isAssignableFrom(type);
        if (!ours && !io.weir.cluster.weblogic.SingletonService.class.isAssignableFrom(type)) {
            throw new ServiceFault(type.getName() + " implements neither " + SingletonService.class.getName() + " nor "
                    + io.weir.cluster.weblogic.SingletonService.class.getName());
        }
        return ours;
    }

    private static @Nullable Constructor<?> withProperties(Class<?> type) {
        for (Constructor<?> c : type.getConstructors()) {
            if (c.getParameterCount() == 1 && c.getParameterTypes()[0] == Map.class) {
                return c;
            }
        }
        return null;
    }

    private static Class<?> load(String className, boolean initialize, ClassLoader from) throws ServiceFault {
        try {
            return Class.forName(className, initialize, from);
        } catch (ClassNotFoundException e) {
            throw new ServiceFault("there is no class " + className + " in " + named(from), e);
        } catch (LinkageError e) {
            throw new ServiceFault(className + " from " + named(from) + " cannot be linked: " + e, e);
        }
    }

    private static String named(ClassLoader loader) {
        return loader.getName() == null ? "the server's class path" : loader.getName();
    }

    private static Object construct(Class<?> type, Map<String, String> properties) throws ServiceFault {
        try {
            Constructor<?> c = withProperties(type);
            return c == null ? type.getConstructor().newInstance() : c.newInstance(Map.copyOf(properties));
        } catch (InvocationTargetException e) {
            throw new ServiceFault("the constructor of " + type.getName() + " failed: " + e.getCause(), e);
        } catch (NoSuchMethodException e) {
            throw new ServiceFault(type.getName() + " has no public constructor without parameters", e);
        } catch (ReflectiveOperationException | LinkageError e) {
            throw new ServiceFault(type.getName() + " cannot be instantiated, is it public? " + e, e);
        }
    }
}

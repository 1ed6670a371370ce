package io.weir.cluster.singleton;

import io.weir.cluster.SingletonService;
import io.weir.cluster.weblogic.Adapted;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.Map;

/**
 * An object of a user's class, ready to be activated. Immutable; lives for one activation.
 *
 * @param service what is called
 * @param instance the user's object: the same, or the one that {@code service} adapts
 */
public record ServiceObject(SingletonService service, Object instance) {
    /**
     * Makes one: with the public constructor that takes a {@code Map} when there is one, otherwise with the one without
     * parameters.
     *
     * @throws ServiceFault when the class is missing, is no singleton service of either shape, or its constructor fails
     */
    public static ServiceObject create(String className, Map<String, String> properties, ClassLoader from)
            throws ServiceFault {
        Class<?> type = load(className, from);
        boolean ours = SingletonService.class.isAssignableFrom(type);
        boolean adapted = io.weir.cluster.weblogic.SingletonService.class.isAssignableFrom(type);
        if (!ours && !adapted) {
            throw new ServiceFault(className + " implements neither " + SingletonService.class.getName() + " nor "
                    + io.weir.cluster.weblogic.SingletonService.class.getName());
        }
        Object made = construct(type, properties);
        return made instanceof io.weir.cluster.weblogic.SingletonService weblogic && !ours
                ? new ServiceObject(new Adapted(weblogic), made)
                : new ServiceObject((SingletonService) made, made);
    }

    private static Class<?> load(String className, ClassLoader from) throws ServiceFault {
        try {
            return Class.forName(className, true, from);
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
            for (Constructor<?> c : type.getConstructors()) {
                if (c.getParameterCount() == 1 && c.getParameterTypes()[0] == Map.class) {
                    return c.newInstance(Map.copyOf(properties));
                }
            }
            return type.getConstructor().newInstance();
        } catch (InvocationTargetException e) {
            throw new ServiceFault("the constructor of " + type.getName() + " failed: " + e.getCause(), e);
        } catch (NoSuchMethodException e) {
            throw new ServiceFault(type.getName() + " has no public constructor without parameters", e);
        } catch (ReflectiveOperationException | LinkageError e) {
            throw new ServiceFault(type.getName() + " cannot be made, is it public? " + e, e);
        }
    }
}

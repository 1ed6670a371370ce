package io.weir.kernel.work;

import io.weir.kernel.Kernel;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The order of waiting work in a work manager and in the connection queue (WebLogic's request classes). Shared; made by
 * the kernel from {@code request-classes}, and looked up by {@link Kernel#requestClass}.
 */
public sealed interface RequestClass permits RequestClass.Own, RequestClass.ByContext, ServiceClass {
    /** The class of the work manager that receives the work. */
    RequestClass DEFAULT = new Own();

    /**
     * The class for a user.
     *
     * @param user the authenticated user; null if unknown
     * @param groups names separated by commas; null if unknown
     */
    RequestClass of(@Nullable String user, @Nullable String groups);

    /** The work manager's class. */
    record Own() implements RequestClass {
        @Override
        public RequestClass of(@Nullable String user, @Nullable String groups) {
            return this;
        }
    }

    /** A context request class: selects another class by user and groups. Immutable. */
    record ByContext(Map<String, RequestClass> users, Map<String, RequestClass> groups, RequestClass otherwise)
            implements RequestClass {
        public ByContext {
            users = Map.copyOf(users);
            groups = Map.copyOf(groups);
        }

        @Override
        public RequestClass of(@Nullable String user, @Nullable String names) {
            RequestClass mine = user == null ? null : users.get(user);
            if (mine != null) {
                return mine;
            }
            if (names != null) {
                for (String name : names.split(",", -1)) {
                    RequestClass of = groups.get(name.strip());
                    if (of != null) {
                        return of;
                    }
                }
            }
            return otherwise;
        }
    }
}

package io.weir.proxy.context;

import io.weir.kernel.Kernel;
import io.weir.kernel.work.RequestClass;
import io.weir.kernel.work.WorkManager;
import io.weir.kernel.work.WorkPlace;
import io.weir.proxy.program.run.PoolWork;
import io.weir.proxy.program.run.PoolWork.Requester;
import io.weir.proxy.program.run.ProgramRun;
import io.weir.proxy.program.run.WorkPools;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The kernel's work managers and request classes as the request program names them. Shared. */
public record KernelPools(Kernel kernel) implements WorkPools {
    @Override
    public Set<String> names() {
        return kernel.workManagers().keySet();
    }

    @Override
    public Set<String> requestClasses() {
        return kernel.requestClasses();
    }

    @Override
    public boolean execute(String pool, Runnable task) {
        return named(pool).execute(task);
    }

    @Override
    public boolean execute(PoolWork work) {
        WorkManager manager = named(work.pool());
        return manager.execute(of(manager, work.requestClass(), work.requester()), work, work.admitted());
    }

    /** The work manager of a request. */
    public WorkManager manager(ProgramRun run) {
        String name = run.workManager();
        return named(name == null ? Kernel.DEFAULT : name);
    }

    /** If the work manager of this name was removed, its requests continue under the default one. */
    private WorkManager named(String name) {
        WorkManager found = kernel.workManagers().get(name);
        return found == null ? kernel.workManager(Kernel.DEFAULT) : found;
    }

    /** The class of a request, by its user. */
    public RequestClass requestClass(ProgramRun run) {
        return of(manager(run), run.requestClass(), Requester.of(run));
    }

    /** Where a request runs; null if neither configured nor selected by its user. */
    @Nullable
    public WorkPlace place(ProgramRun run) {
        String name = run.workManager();
        String requestClass = run.requestClass();
        WorkManager manager = manager(run);
        if (name == null && requestClass == null && manager.requestClass().equals(RequestClass.DEFAULT)) {
            return null;
        }
        return new WorkPlace(manager, of(manager, requestClass, Requester.of(run)));
    }

    private RequestClass of(WorkManager manager, @Nullable String requestClass, Requester requester) {
        RequestClass named = requestClass == null ? manager.requestClass() : kernel.requestClass(requestClass);
        return named.of(requester.user(), requester.groups());
    }
}

package io.weir.proxy.context;

import io.weir.kernel.Kernel;
import io.weir.kernel.work.RequestClass;
import io.weir.kernel.work.WorkManager;
import io.weir.kernel.work.WorkPlace;
import io.weir.proxy.program.run.PoolWork;
import io.weir.proxy.program.run.PoolWork.Asker;
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
        return manager.execute(of(manager, work.requestClass(), work.asker()), work, work.admitted());
    }

    /** The work manager of a request. */
    public WorkManager manager(ProgramRun run) {
        String name = run.workManager();
        return named(name == null ? Kernel.DEFAULT : name);
    }

    /** A request that began while there was a work manager of this name goes on under the default one. */
    private WorkManager named(String name) {
        WorkManager found = kernel.workManagers().get(name);
        return found == null ? kernel.workManager(Kernel.DEFAULT) : found;
    }

    /** The class of a request, by its user. */
    public RequestClass requestClass(ProgramRun run) {
        return of(manager(run), run.requestClass(), Asker.of(run));
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
        return new WorkPlace(manager, of(manager, requestClass, Asker.of(run)));
    }

    private RequestClass of(WorkManager manager, @Nullable String requestClass, Asker asker) {
        RequestClass named = requestClass == null ? manager.requestClass() : kernel.requestClass(requestClass);
        return named.of(asker.user(), asker.groups());
    }
}

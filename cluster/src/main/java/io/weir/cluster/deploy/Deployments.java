package io.weir.cluster.deploy;

import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.cluster.deploy.DeployedClasses.Version;
import io.weir.cluster.lease.Outcome;
import io.weir.cluster.log.Loop;
import io.weir.cluster.singleton.ServiceFault;
import io.weir.cluster.singleton.ServiceObject;
import io.weir.cluster.singleton.ServiceSource;
import io.weir.cluster.state.Answer;
import io.weir.cluster.state.ClusterState;
import io.weir.cluster.state.Command;
import io.weir.cluster.state.Deployment;
import io.weir.cluster.state.DeploymentCommand;
import io.weir.cluster.state.Event;
import io.weir.cluster.state.Proposer;
import io.weir.cluster.state.SingletonSpec;
import io.weir.cluster.state.StateListener;
import io.weir.cluster.stats.ClusterMessages;
import io.weir.cluster.stats.ClusterStats;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Hot deployments on this member: takes archives in, brings every deployment's contents here so that a fail-over does not
 * depend on another member, and makes services' objects from them. Shared; what takes time runs on a thread of its own.
 */
public final class Deployments implements StateListener, ServiceSource, AutoCloseable {
    private static final Duration AGAIN = Duration.ofSeconds(5);
    private static final int QUEUE = 32;

    /**
     * What it is made of.
     *
     * @param member this one
     * @param state as applied here
     * @param configured what this member's configuration makes of a service that an archive declares
     * @param others where services without a deployment come from
     * @param parent loader above all deployments'
     * @param maxSize of an archive, in bytes
     */
    public record Parts(
            String member,
            Loop loop,
            Supplier<ClusterState> state,
            ArchiveStore store,
            Contents contents,
            UnaryOperator<SingletonSpec> configured,
            ServiceSource others,
            ClassLoader parent,
            long maxSize,
            Stats stats,
            Log log) {}

    private final Parts parts;
    private final Supplier<Proposer> proposer;
    private final DeployedClasses classes;
    /** Contents taken in, of which the cluster does not know yet. */
    private final Set<String> arriving = ConcurrentHashMap.newKeySet();

    private final AtomicBoolean looking = new AtomicBoolean();
    private final ThreadPoolExecutor thread;

    /** For one member; to be told of what is applied. */
    public Deployments(Parts parts, Supplier<Proposer> proposer) {
        this.parts = parts;
        this.proposer = proposer;
        this.classes = new DeployedClasses(parts.parent(), parts.log());
        this.thread = new ThreadPoolExecutor(
                0,
                1,
                10,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(QUEUE),
                r -> Thread.ofPlatform()
                        .daemon()
                        .name("ExecuteThread: '0' for queue: 'weir.cluster.Deployments'")
                        .unstarted(r));
    }

    @Override
    public void applied(ClusterState after, List<Event> events) {
        if (events.stream().anyMatch(Event.DeploymentChanged.class::isInstance)) {
            look();
        }
    }

    @Override
    public void restored(ClusterState now) {
        look();
    }

    /** Looks soon whether everything that is deployed is here, and what is here is deployed. */
    public void look() {
        if (looking.compareAndSet(false, true)) {
            try {
                thread.execute(this::lookNow);
            } catch (RejectedExecutionException full) {
                looking.set(false);
                lookLater();
            }
        }
    }

    private void lookLater() {
        if (!thread.isShutdown()) {
            parts.loop().deliver(() -> parts.loop().after(AGAIN.toNanos(), this::look));
        }
    }

    private void lookNow() {
        looking.set(false);
        ClusterState now = parts.state().get();
        boolean all = true;
        for (Deployment d : now.deployments().values()) {
            all &= bring(d);
        }
        if (!all) {
            lookLater();
        }
        tidy(now);
    }

    private boolean bring(Deployment d) {
        try {
            contents(d);
            if (!d.sources().contains(parts.member())) {
                propose(new DeploymentCommand.Fetched(d.name(), d.version(), parts.member()));
                parts.log().log(ClusterMessages.DEPLOYED, d.name(), d.version(), d.sha256());
            }
            return true;
        } catch (ServiceFault missing) {
            count("failed");
            parts.log().log(ClusterMessages.DEPLOYMENT_MISSING, d.name(), missing);
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        }
        return false;
    }

    private void propose(Command command) {
        Outcome.of(proposer.get().propose(command), parts.log(), _ -> {}, fault -> {
            parts.log().log(ClusterMessages.NOT_PROPOSED, command, fault);
            lookLater();
        });
    }

    private void tidy(ClusterState now) {
        Set<String> wanted = new HashSet<>(arriving);
        Set<Version> current = new HashSet<>();
        for (Deployment d : now.deployments().values()) {
            wanted.add(d.sha256());
            current.add(new Version(d.name(), d.version()));
        }
        classes.keepOnly(current);
        try {
            parts.store().keepOnly(wanted);
        } catch (IOException e) {
            parts.log().log(ClusterMessages.UNCAUGHT, "deployments", e);
        }
    }

    @Override
    public ServiceObject create(SingletonSpec spec) throws ServiceFault, InterruptedException {
        String name = spec.deployment();
        if (name == null) {
            return parts.others().create(spec);
        }
        Deployment d = parts.state().get().deployments().get(name);
        if (d == null) {
            throw new ServiceFault("the deployment " + name + " of singleton " + spec.name() + " is gone");
        }
        return classes.create(new Version(name, d.version()), contents(d), spec);
    }

    @Override
    public void closed(ServiceObject object) {
        parts.others().closed(object);
        classes.closed(object.instance());
        look();
    }

    /** Where the contents are on this member; from another if they are not. */
    private Path contents(Deployment d) throws ServiceFault, InterruptedException {
        ArchiveStore store = parts.store();
        StringBuilder why = new StringBuilder();
        for (String member : d.sources()) {
            if (store.has(d.sha256())) {
                break;
            }
            if (!member.equals(parts.member())) {
                why.append("; ").append(fetch(d, member));
            }
        }
        if (!store.has(d.sha256())) {
            throw new ServiceFault("the contents of " + d.name() + " version " + d.version()
                    + " are not on this member, and no other gives them" + why);
        }
        return store.path(d.sha256());
    }

    private String fetch(Deployment d, String member) throws InterruptedException {
        try {
            parts.store().put(d.sha256(), out -> parts.contents().fetch(member, d.sha256(), d.size(), out));
            return member + " gave them";
        } catch (IOException | DeployFault e) {
            return member + ": " + e.getMessage();
        }
    }

    /**
     * Deploys an archive, or deploys it anew under its name: then its active services move to the new classes. What this
     * member's configuration says of its services goes into what is deployed, so all members apply the same.
     *
     * @param name of the deployment; for a jar of a file usually that without its suffix
     * @param jar is read before the future completes, and is the caller's to remove
     * @param by who asks, for the history
     * @return what was done, for people; fails with a {@link DeployFault} that says why not
     */
    public CompletableFuture<String> deploy(String name, Path jar, String by) {
        return onThread(done -> {
            Archive archive = Archive.read(name, jar, parts.maxSize());
            arriving.add(archive.sha256());
            parts.store().put(archive.sha256(), out -> Files.copy(jar, out));
            boolean before = parts.state().get().deployments().containsKey(name);
            List<SingletonSpec> services =
                    archive.services().stream().map(parts.configured()).toList();
            Command command =
                    new DeploymentCommand.Deploy(name, archive.sha256(), archive.size(), parts.member(), services);
            answer(command, by, done, index -> text(archive, before, index), () -> arriving.remove(archive.sha256()));
        });
    }

    private String text(Archive archive, boolean before, long index) {
        count(before ? "redeployed" : "deployed");
        return archive.name() + (before ? " deployed anew" : " deployed") + ", version " + index + ", singletons: "
                + String.join(
                        ", ",
                        archive.services().stream().map(SingletonSpec::name).toList());
    }

    /** The same, where there is a deployment of that name. */
    public CompletableFuture<String> redeploy(String name, Path jar, String by) {
        return parts.state().get().deployments().containsKey(name)
                ? deploy(name, jar, by)
                : CompletableFuture.failedFuture(new DeployFault("there is no deployment " + name));
    }

    /** Takes a deployment away with its singletons. */
    public CompletableFuture<String> undeploy(String name, String by) {
        if (!parts.state().get().deployments().containsKey(name)) {
            return CompletableFuture.failedFuture(new DeployFault("there is no deployment " + name));
        }
        return onThread(done -> answer(
                new DeploymentCommand.Undeploy(name),
                by,
                done,
                _ -> {
                    count("undeployed");
                    return name + " undeployed";
                },
                () -> {}));
    }

    private void answer(
            Command command, String by, CompletableFuture<String> done, LongFunction<String> text, Runnable always) {
        Outcome.of(
                proposer.get().propose(command, by),
                parts.log(),
                answer -> {
                    always.run();
                    switch (answer) {
                        case Answer.Done d -> done.complete(text.apply(d.index()));
                        case Answer.Refused r -> fail(done, new DeployFault(r.text()));
                        default -> fail(done, new DeployFault("no answer to a deployment: " + answer));
                    }
                },
                fault -> {
                    always.run();
                    fail(done, new DeployFault("the cluster could not be told: " + fault.getMessage(), fault));
                });
    }

    /** Something that is done on this object's thread. */
    private interface Task {
        void run(CompletableFuture<String> done) throws DeployFault, IOException, InterruptedException;
    }

    private CompletableFuture<String> onThread(Task task) {
        CompletableFuture<String> done = new CompletableFuture<>();
        try {
            thread.execute(() -> {
                try {
                    task.run(done);
                } catch (DeployFault e) {
                    fail(done, e);
                } catch (IOException | IllegalArgumentException e) {
                    fail(done, new DeployFault("it cannot be taken in: " + e.getMessage(), e));
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    fail(done, new DeployFault("the server shuts down"));
                }
            });
        } catch (RejectedExecutionException full) {
            fail(done, new DeployFault("too many deployments at once: " + QUEUE + " wait already"));
        }
        return done;
    }

    private void fail(CompletableFuture<String> done, DeployFault fault) {
        count("failed");
        done.completeExceptionally(fault);
    }

    private void count(String what) {
        parts.stats().counter(ClusterStats.DEPLOYED, what).inc();
    }

    /** Loaders that are open on this member. */
    public int open() {
        return classes.size();
    }

    /** What is being fetched is given up. */
    @Override
    public void close() {
        thread.shutdownNow();
    }
}

package io.weir.cluster.deploy;

import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.cluster.deploy.DeployedClasses.Version;
import io.weir.cluster.lease.FutureOutcome;
import io.weir.cluster.lease.Owner;
import io.weir.cluster.log.LogFault;
import io.weir.cluster.log.Loop;
import io.weir.cluster.singleton.ServiceFault;
import io.weir.cluster.singleton.ServiceObject;
import io.weir.cluster.singleton.ServiceSource;
import io.weir.cluster.state.ClusterState;
import io.weir.cluster.state.Proposer;
import io.weir.cluster.state.StateListener;
import io.weir.cluster.state.deployments.Deployment;
import io.weir.cluster.state.deployments.DeploymentChanged;
import io.weir.cluster.state.deployments.DeploymentCommand;
import io.weir.cluster.state.entry.Answer;
import io.weir.cluster.state.entry.Command;
import io.weir.cluster.state.entry.Event;
import io.weir.cluster.state.entry.Refusal;
import io.weir.cluster.state.members.MemberState;
import io.weir.cluster.state.singletons.SingletonSpec;
import io.weir.cluster.state.singletons.SingletonState;
import io.weir.cluster.stats.ClusterMessages;
import io.weir.cluster.stats.ClusterStats;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Hot deployments on this member: stores archives, fetches every deployment's contents so that a fail-over does not
 * depend on another member, and creates service objects from them. Shared; blocking work runs on a dedicated thread.
 */
public final class Deployments implements StateListener, ServiceSource, AutoCloseable {
    private static final Duration RETRY = Duration.ofSeconds(5);
    private static final int QUEUE = 32;

    /**
     * Dependencies.
     *
     * @param self this member
     * @param state as applied on this member
     * @param configured applies this member's configuration to a service that an archive declares
     * @param others source of services without a deployment
     * @param parent parent class loader of all deployments
     * @param maxSize maximum size of an archive in bytes
     */
    public record Parts(
            Owner self,
            Loop loop,
            Supplier<ClusterState> state,
            ArchiveStore store,
            ArchiveContents contents,
            UnaryOperator<SingletonSpec> configured,
            ServiceSource others,
            ClassLoader parent,
            long maxSize,
            Stats stats,
            Log log) {}

    private final Parts parts;
    private final Supplier<Proposer> proposer;
    private final DeployedClasses classes;
    private final ArrivingContents arriving = new ArrivingContents(QUEUE);
    private final AtomicBoolean scheduled = new AtomicBoolean();
    /** Whether this process has joined; confined to the thread that applies the log. */
    private boolean known;

    private final ThreadPoolExecutor thread;

    /** Creates the deployments of one member; register it as a state listener. */
    public Deployments(Parts parts, Supplier<Proposer> proposer) {
        this.parts = parts;
        this.proposer = proposer;
        parts.stats().begin(ClusterStats.DEPLOYED);
        this.classes = new DeployedClasses(
                parts.parent(), parts.store().unpacked(), parts.maxSize() * ArchivePath.MOST_TIMES, parts.log());
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
        boolean first = !known && current(after);
        known |= first;
        if (first || events.stream().anyMatch(DeploymentChanged.class::isInstance)) {
            check();
        }
    }

    /**
     * Whether the state includes this process's join. While a starting member replays its log, the state is outdated:
     * archives of later deployments would look like orphans. The join comes after the replayed entries.
     */
    private boolean current(ClusterState state) {
        MemberState m = state.member(parts.self().member());
        return m != null && m.incarnation() == parts.self().incarnation();
    }

    @Override
    public void restored(ClusterState now) {
        check();
    }

    /** Schedules a check that all deployed archives are stored here and all stored archives are deployed. */
    public void check() {
        if (scheduled.compareAndSet(false, true)) {
            try {
                thread.execute(this::checkNow);
            } catch (RejectedExecutionException full) {
                scheduled.set(false);
                checkLater();
            }
        }
    }

    private void checkLater() {
        if (!thread.isShutdown()) {
            parts.loop().deliver(() -> parts.loop().after(RETRY.toNanos(), this::check));
        }
    }

    private void checkNow() {
        scheduled.set(false);
        ClusterState now = parts.state().get();
        if (!current(now)) {
            return;
        }
        boolean all = true;
        for (Deployment d : now.deployments().values()) {
            all &= ensureStored(d);
        }
        if (!all) {
            checkLater();
        }
        removeOrphans();
    }

    private boolean ensureStored(Deployment d) {
        try {
            contents(d);
            if (!d.sources().contains(parts.self().member())) {
                propose(new DeploymentCommand.Fetched(
                        d.name(), d.version(), parts.self().member()));
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
        FutureOutcome.of(proposer.get().propose(command), parts.log(), _ -> {}, fault -> {
            parts.log().log(ClusterMessages.NOT_PROPOSED, command, fault);
            checkLater();
        });
    }

    /**
     * Removes orphans. ArrivingContents contents are read before the state: an archive moves from the first to the second, and
     * in the opposite order could be missed in both.
     */
    private void removeOrphans() {
        Set<String> wanted = new HashSet<>(arriving.all());
        ClusterState now = parts.state().get();
        if (!current(now)) {
            return;
        }
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
        check();
    }

    /** The path of the contents on this member, fetched from another member if missing. */
    private Path contents(Deployment d) throws ServiceFault, InterruptedException {
        ArchiveStore store = parts.store();
        StringBuilder why = new StringBuilder();
        for (String member : d.sources()) {
            if (store.has(d.sha256())) {
                break;
            }
            if (!member.equals(parts.self().member())) {
                why.append("; ").append(fetch(d, member));
            }
        }
        if (!store.has(d.sha256())) {
            throw new ServiceFault("the contents of " + d.name() + " version " + d.version()
                    + " are not on this member, and no other member provided them" + why);
        }
        return store.path(d.sha256());
    }

    private String fetch(Deployment d, String member) throws InterruptedException {
        try {
            parts.store().put(d.sha256(), out -> parts.contents().fetch(member, d.sha256(), d.size(), out));
            return member + " provided them";
        } catch (IOException | DeployFault e) {
            return member + ": " + e.getMessage();
        }
    }

    /**
     * Deploys an archive, or replaces the deployment of that name: its active services then move to the new classes.
     * Its classes are linked first. This member's configuration of the services becomes part of the deployment, so all
     * members apply the same.
     *
     * @param name of the deployment; usually the file name without its suffix
     * @param jar is read before the future completes; the caller removes it
     * @param by the author, for the history
     * @param reason for the history; may be empty
     * @return what was done; fails with a {@link DeployFault} that gives the reason
     */
    public CompletableFuture<Deployed> deploy(String name, Path jar, String by, String reason) {
        return onThread(done -> deploy(Archive.read(name, jar, parts.maxSize()), jar, by, reason, done));
    }

    /**
     * Replaces an existing deployment.
     *
     * @param name empty for the deployment that contains the archive's singletons
     */
    public CompletableFuture<Deployed> redeploy(String name, Path jar, String by, String reason) {
        return onThread(done -> {
            Archive found = name.isEmpty() ? byContents(jar) : Archive.read(name, jar, parts.maxSize());
            if (!parts.state().get().deployments().containsKey(found.name())) {
                throw new DeployFault("there is no deployment " + name);
            }
            deploy(found, jar, by, reason, done);
        });
    }

    /** The archive, named after the one deployment that contains some of its singletons. */
    private Archive byContents(Path jar) throws DeployFault, IOException {
        Archive any = Archive.read("archive", jar, parts.maxSize());
        ClusterState now = parts.state().get();
        Map<String, List<String>> owners = new TreeMap<>();
        for (SingletonSpec s : any.services()) {
            SingletonState there = now.singleton(s.name());
            String owner = there == null ? null : there.spec().deployment();
            if (owner != null) {
                owners.computeIfAbsent(owner, _ -> new ArrayList<>()).add(s.name());
            }
        }
        if (owners.size() == 1) {
            return Archive.read(owners.keySet().iterator().next(), jar, parts.maxSize());
        }
        String inside = String.join(", ", names(any.services()));
        throw new DeployFault(
                owners.isEmpty()
                        ? "no deployment has any of its singletons (" + inside
                                + "): deploy it. Existing deployments: "
                                + (now.deployments().isEmpty()
                                        ? "none"
                                        : String.join(", ", now.deployments().keySet()))
                        : "its singletons belong to several deployments, specify one by name: " + owners);
    }

    private static List<String> names(List<SingletonSpec> services) {
        return services.stream().map(SingletonSpec::name).toList();
    }

    private void deploy(Archive archive, Path jar, String by, String reason, CompletableFuture<Deployed> done)
            throws DeployFault, IOException, InterruptedException {
        String sha = archive.sha256();
        arriving.begin(sha);
        boolean proposed = false;
        try {
            parts.store().put(sha, out -> Files.copy(jar, out));
            classes.link(parts.store().path(sha), archive.services(), archive.name());
            boolean before = parts.state().get().deployments().containsKey(archive.name());
            List<SingletonSpec> services =
                    archive.services().stream().map(parts.configured()).toList();
            Command command = new DeploymentCommand.Deploy(
                    archive.name(), sha, archive.size(), parts.self().member(), services, reason);
            proposed = true;
            answer(command, by, done, index -> deployed(archive, before, index), sure -> {
                if (sure) {
                    arriving.answered(sha);
                } else {
                    arriving.unanswered(sha);
                }
            });
        } catch (ServiceFault unfit) {
            throw new DeployFault(String.valueOf(unfit.getMessage()), unfit);
        } finally {
            if (!proposed) {
                arriving.answered(sha);
                check();
            }
        }
    }

    /** The result of the entry: if the same archive was deployed already, its version is that of an earlier entry. */
    private Deployed deployed(Archive archive, boolean before, long index) {
        Deployment now = parts.state().get().deployments().get(archive.name());
        if (now != null && now.version() < index) {
            count("unchanged");
            return new Deployed(
                    archive.name(),
                    archive.name() + " unchanged: version " + now.version()
                            + " has this archive and these settings, nothing is reactivated; singletons: "
                            + String.join(", ", names(archive.services())));
        }
        count(before ? "redeployed" : "deployed");
        return new Deployed(
                archive.name(),
                archive.name() + (before ? " redeployed" : " deployed") + ", version " + index + ", singletons: "
                        + String.join(", ", names(archive.services())));
    }

    /** Removes a deployment and its singletons. */
    public CompletableFuture<Deployed> undeploy(String name, String by, String reason) {
        if (!parts.state().get().deployments().containsKey(name)) {
            return CompletableFuture.failedFuture(new DeployFault("there is no deployment " + name));
        }
        return onThread(done -> answer(
                new DeploymentCommand.Undeploy(name, reason),
                by,
                done,
                _ -> {
                    count("undeployed");
                    return new Deployed(name, name + " undeployed");
                },
                _ -> {}));
    }

    /** @param settled called first with whether the command's outcome is known */
    private void answer(
            Command command,
            String by,
            CompletableFuture<Deployed> done,
            LongFunction<Deployed> text,
            Consumer<Boolean> settled) {
        FutureOutcome.of(
                proposer.get().propose(command, by),
                parts.log(),
                answer -> {
                    settled.accept(true);
                    switch (answer) {
                        case Answer.Done d -> done.complete(text.apply(d.index()));
                        case Answer.Refused r -> fail(done, new DeployFault(refusal(r)));
                        default -> fail(done, new DeployFault("unexpected answer to a deployment: " + answer));
                    }
                },
                fault -> {
                    settled.accept(fault instanceof LogFault f && f.kind() == LogFault.Kind.NOT_COMMITTED);
                    fail(
                            done,
                            new DeployFault(
                                    "the command was not confirmed by the cluster: " + fault.getMessage(), fault));
                });
    }

    private static String refusal(Answer.Refused r) {
        boolean anothers = r.reason() == Refusal.NAME_TAKEN && r.text().contains(" of deployment ");
        return anothers ? r.text() + "; redeploy replaces that deployment with this archive" : r.text();
    }

    /** A task of the dedicated thread. */
    private interface Task {
        void run(CompletableFuture<Deployed> done) throws DeployFault, IOException, InterruptedException;
    }

    private CompletableFuture<Deployed> onThread(Task task) {
        CompletableFuture<Deployed> done = new CompletableFuture<>();
        try {
            thread.execute(() -> {
                try {
                    task.run(done);
                } catch (DeployFault e) {
                    fail(done, e);
                } catch (IOException | IllegalArgumentException e) {
                    fail(done, new DeployFault("it cannot be stored: " + e.getMessage(), e));
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    fail(done, new DeployFault("the server is shutting down"));
                }
            });
        } catch (RejectedExecutionException full) {
            fail(done, new DeployFault("too many deployments at once: " + QUEUE + " are queued already"));
        }
        return done;
    }

    private void fail(CompletableFuture<Deployed> done, DeployFault fault) {
        count("failed");
        done.completeExceptionally(fault);
    }

    private void count(String what) {
        parts.stats().counter(ClusterStats.DEPLOYED, what).inc();
    }

    /** The number of class loaders that are open on this member. */
    public int open() {
        return classes.size();
    }

    /** Aborts fetches in progress. */
    @Override
    public void close() {
        thread.shutdownNow();
    }

    /** Whether it is closed and its thread has terminated. */
    boolean ended() {
        return thread.isTerminated();
    }
}

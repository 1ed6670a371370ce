package io.weir.proxy.program;

import io.netty.buffer.ByteBuf;
import io.weir.http.RequestHead;
import io.weir.http.TargetForm;
import io.weir.proxy.accesslog.LogLane;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One exchange's way through a {@link Program}: the interpreter's state and what functions set. Confined to the
 * exchange's loop (a function in a pool has it while the loop waits), reused from exchange to exchange, and free of
 * allocation where no function waits, restarts or redirects.
 *
 * <p>The engine drives: {@link #start} runs Input, AuthTrans, NameTrans, PathCheck and ObjectType; it then looks the
 * request up in the cache ({@link #cache()}); {@link #service} runs Route and Service and leaves {@link #action()};
 * {@link #connect} runs DNS and Connect where a connection is made; {@link #output} runs Output and Filter before an
 * answer's head is written; {@link #error} runs Error for a fault, and {@link #finish} runs AddLog, always, once.
 */
public final class ProgramRun extends RunValues {
    /** Objects that may apply to one request. */
    static final int MAX_OBJECTS = 32;

    private static final Stage[] START = {
        Stage.INPUT, Stage.AUTH_TRANS, Stage.NAME_TRANS, Stage.PATH_CHECK, Stage.OBJECT_TYPE
    };
    private static final Stage[] SERVE = {Stage.ROUTE, Stage.SERVICE};
    private static final Stage[] CONNECT = {Stage.DNS, Stage.CONNECT};
    private static final Stage[] OUTPUT = {Stage.OUTPUT, Stage.FILTER};
    private static final Stage[] ERROR = {Stage.ERROR};
    private static final Stage[] FINISH = {Stage.ADD_LOG};

    private final ProgramHost host;
    private final @Nullable LogLane lane;
    private final @Nullable ProgramObject[] objects = new @Nullable ProgramObject[MAX_OBJECTS];
    private final PathForms paths = new PathForms();
    private int objectCount;
    private @Nullable Program program;
    private @Nullable RequestContext request;
    private @Nullable RunTrace trace;

    private Stage[] stages = START;
    private int stageAt;
    private int objectAt;
    private int directiveAt;
    private int restarts;
    private long generation;
    private boolean waiting;
    private boolean lent;
    private boolean destinationChecked;
    private @Nullable Pending ticket;

    /** A run for one connection at a time; {@code lane} is its loop's part of the access log, null when that is off. */
    public ProgramRun(ProgramHost host, @Nullable LogLane lane) {
        this.host = host;
        this.lane = lane;
    }

    /** Starts an exchange: forgets the one before, and runs to the end of ObjectType. */
    public RunState start(RequestContext request, Program program) {
        if (lent) {
            throw new IllegalStateException("a function of an abandoned run still has it");
        }
        this.request = request;
        this.program = program;
        host.runs().inc();
        restarts = 0;
        return begin();
    }

    private RunState begin() {
        Program p = program();
        clearValues();
        destinationChecked = false;
        Arrays.fill(objects, 0, objectCount, null);
        objectCount = 0;
        add(p.start());
        readRequest();
        return enter(START);
    }

    private void readRequest() {
        RequestContext r = request();
        RequestHead head = r.head();
        input.method = head.methodId();
        input.methodName = head.method();
        input.form = head.targetForm();
        input.virtualServer = r.virtualServer().ordinal();
        input.host(head.bytes(), head.hostStart(), head.hostEnd());
        paths.read(head, input);
    }

    /** Runs Route and Service; afterwards {@link #action()} says what to do. */
    public RunState service() {
        return enter(SERVE);
    }

    /** Runs DNS and Connect, where a connection is about to be made. */
    public RunState connect() {
        return enter(CONNECT);
    }

    /** Runs Output and Filter, before the head of an answer is written. */
    public RunState output() {
        return enter(OUTPUT);
    }

    /**
     * Runs Error for a fault. The fault is counted here, once for each answer.
     *
     * @return READY when a function set an {@link #action()} to answer with, else FAILED: {@link ErrorPages} answers
     */
    public RunState error(ProxyFault fault) {
        host.count(fault);
        this.fault = fault;
        action = null;
        RunState state = enter(ERROR);
        return state == RunState.READY && action == null ? RunState.FAILED : state;
    }

    /** Runs AddLog: appends the record to the access log. Functions here do not wait, and their failures change nothing. */
    public void finish() {
        enter(FINISH);
        waiting = false;
        generation++;
    }

    /** The exchange is gone while a function waits: its completion will do nothing. */
    public void abandon() {
        generation++;
        waiting = false;
    }

    /** Whether another exchange may start: false while a pool's thread still has this run. */
    public boolean reusable() {
        return !lent;
    }

    /** For functions: a promise to complete; the function then answers {@link Outcome#WAITING}. */
    public Pending pend() {
        Pending t = ticket;
        if (waiting && t != null) {
            return t;
        }
        waiting = true;
        long mine = ++generation;
        Pending made = outcome -> request().loop().execute(() -> resume(mine, outcome));
        ticket = made;
        return made;
    }

    private void resume(long mine, Outcome outcome) {
        if (mine != generation || !waiting) {
            return;
        }
        waiting = false;
        RunState state = settle(outcome);
        state = state == RunState.READY ? go() : state;
        if (state != RunState.WAITING) {
            request().resumed(this, state);
        }
    }

    private RunState enter(Stage[] group) {
        stages = group;
        stageAt = 0;
        enterStage();
        return go();
    }

    private void enterStage() {
        objectAt = 0;
        directiveAt = 0;
        if (trace != null && stageAt < stages.length) {
            trace.entered(stages[stageAt]);
        }
    }

    /** Runs on from where the run stands to the end of the group, or to where it must stop. */
    private RunState go() {
        while (stageAt < stages.length) {
            Stage stage = stages[stageAt];
            while (stageAt < stages.length && stages[stageAt] == stage) {
                int i = nextDirective(stage);
                if (i < 0) {
                    RunState end = endOf(stage);
                    if (end != RunState.READY) {
                        return end;
                    }
                    break;
                }
                directiveAt = i + 1;
                RunState state = settle(execute(current(stage).list(stage).get(i)));
                if (state != RunState.READY) {
                    return state;
                }
            }
        }
        return RunState.READY;
    }

    /** The next directive of the stage that applies, moving from object to object; -1 at the stage's end. */
    private int nextDirective(Stage stage) {
        if (stage == Stage.SERVICE && action != null) {
            return -1;
        }
        while (objectAt < objectCount) {
            int i = current(stage).list(stage).next(input, directiveAt);
            if (i >= 0) {
                return i;
            }
            objectAt++;
            directiveAt = 0;
        }
        return -1;
    }

    private ProgramObject current(Stage stage) {
        ProgramObject o = objects[stage.reverse() ? objectCount - 1 - objectAt : objectAt];
        if (o == null) {
            throw new IllegalStateException("no object at " + objectAt);
        }
        return o;
    }

    private RunState endOf(Stage stage) {
        if (stage == Stage.NAME_TRANS) {
            int before = objectCount;
            program().addByPath(this, input.pathBytes, input.pathFrom, input.pathTo);
            if (objectCount > before) {
                return RunState.READY;
            }
            ProxyFault ambiguous = paths.ambiguity(program().start().list(Stage.NAME_TRANS), input);
            if (ambiguous != null) {
                return fail(ambiguous);
            }
        }
        if (stage == Stage.SERVICE && action == null) {
            return fail(ProxyFault.NO_ROUTE);
        }
        stageAt++;
        enterStage();
        return RunState.READY;
    }

    private Outcome execute(Directive directive) {
        Outcome outcome = directive.pool() == null ? call(directive, directive.step()) : inPool(directive);
        if (trace != null) {
            trace.ran(traced(directive.stage()), directive, outcome);
        }
        return outcome;
    }

    private ProgramObject traced(Stage stage) {
        return current(stage);
    }

    private Outcome call(Directive directive, ServerFunction.Step step) {
        BucketCounters bucket = directive.counters();
        long began = bucket == null ? 0 : host.clock().nanos();
        try {
            return step.run(this);
        } catch (RuntimeException e) {
            host.log().log(ProxyMessages.FUNCTION_FAILED, directive.function().name(), directive.place(), e);
            return Outcome.ABORTED;
        } finally {
            if (bucket != null) {
                bucket.add(host.stats(), host.clock().nanos() - began);
            }
        }
    }

    private Outcome inPool(Directive directive) {
        String pool = directive.pool();
        Pending p = pend();
        lent = true;
        boolean taken = pool != null
                && host.pools().execute(pool, () -> {
                    Outcome outcome = call(directive, directive.step());
                    request().loop().execute(() -> lent = false);
                    if (outcome != Outcome.WAITING) {
                        p.complete(outcome);
                    }
                });
        if (taken) {
            return Outcome.WAITING;
        }
        lent = false;
        waiting = false;
        generation++;
        host.poolRefusals().inc();
        ServerFunction.Step busy = directive.busy();
        return busy == null ? Outcome.TOOBUSY : call(directive, busy);
    }

    /** What an outcome means here: whether the run goes on, and from where. */
    private RunState settle(Outcome outcome) {
        Stage stage = stages[stageAt];
        return switch (outcome) {
            case NOACTION -> RunState.READY;
            case PROCEED -> proceed(stage);
            case WAITING -> stage == Stage.ADD_LOG ? RunState.READY : RunState.WAITING;
            case ABORTED -> stage == Stage.ADD_LOG ? RunState.READY : fail(ProxyFault.FUNCTION);
            case TOOBUSY -> stage == Stage.ADD_LOG ? RunState.READY : fail(ProxyFault.POOL_FULL);
            case EXIT -> stage == Stage.ADD_LOG ? RunState.READY : RunState.CLOSE;
            case RESTART -> stage == Stage.ADD_LOG ? RunState.READY : restart();
        };
    }

    private RunState proceed(Stage stage) {
        if (stage.rule() == Stage.Rule.APPLY_ONE) {
            if (stage == Stage.NAME_TRANS || stage == Stage.AUTH_TRANS) {
                objectAt++;
                directiveAt = 0;
            } else {
                stageAt++;
                enterStage();
            }
        }
        return RunState.READY;
    }

    private RunState fail(ProxyFault reason) {
        if (fault == null) {
            fault = reason;
        }
        return RunState.FAILED;
    }

    private RunState restart() {
        if (++restarts > program().restarts()) {
            return fail(ProxyFault.RESTART_LIMIT);
        }
        host.restarts().inc();
        return begin();
    }

    /** For functions: adds an object, once; false when there are too many. */
    boolean add(ProgramObject object) {
        for (int i = 0; i < objectCount; i++) {
            if (objects[i] == object) {
                return true;
            }
        }
        if (objectCount == MAX_OBJECTS) {
            return false;
        }
        objects[objectCount++] = object;
        return true;
    }

    /** For functions: adds the object of this name; false when there is none or there are too many. */
    public boolean add(String name) {
        ProgramObject object = program().object(name);
        return object != null && add(object);
    }

    /** The objects that apply, default first. */
    public int objectCount() {
        return objectCount;
    }

    /** The exchange that runs. */
    public RequestContext request() {
        RequestContext r = request;
        if (r == null) {
            throw new IllegalStateException("the run was not started");
        }
        return r;
    }

    /** The program that the exchange started with. */
    public Program program() {
        Program p = program;
        if (p == null) {
            throw new IllegalStateException("the run was not started");
        }
        return p;
    }

    /**
     * Applies the destination rules to the client and to the host and port that it named; null: they may pass.
     *
     * @param tunnelPorts ports that tunnels may reach; null: {@code 443} for CONNECT, those of plain forwarding else
     */
    @Nullable
    DestinationRefusal checkDestination(@Nullable PortRules tunnelPorts) {
        Destinations rules = program().destinations();
        DestinationRefusal refusal = rules.client(request().clientAddress());
        if (refusal == null) {
            boolean tunnel = input.form == TargetForm.AUTHORITY;
            PortRules ports = tunnel && tunnelPorts == null ? PortRules.TLS : tunnelPorts;
            refusal = rules.host(hostName(), port(), tunnel ? ports : null);
        }
        destinationChecked = refusal == null;
        return refusal;
    }

    /** Whether {@link #checkDestination} let this request pass. */
    boolean destinationChecked() {
        return destinationChecked;
    }

    /** Counts a refused destination and fails the run with its fault; for functions and for the engine's connect. */
    public Outcome refuse(DestinationRefusal refusal) {
        host.count(refusal);
        return abort(refusal.fault());
    }

    /** The host that the request names: lower case, no port, no brackets. Allocates. */
    public String hostName() {
        int from = input.hostFrom;
        int to = input.hostTo;
        boolean bracketed = to - from >= 2 && input.hostBytes[from] == '[' && input.hostBytes[to - 1] == ']';
        int cut = bracketed ? 1 : 0;
        return new String(input.hostBytes, from + cut, to - from - 2 * cut, StandardCharsets.ISO_8859_1)
                .toLowerCase(Locale.ROOT);
    }

    /** The port that the request names or its scheme's own: 443 for CONNECT without one and https, else 80. */
    public int port() {
        RequestHead head = request().head();
        int port = head.port();
        if (port > 0) {
            return port;
        }
        boolean secure = input.form == TargetForm.AUTHORITY
                || isHostMappedSecure()
                || "https".equalsIgnoreCase(String.valueOf(head.scheme()));
        return secure ? 443 : 80;
    }

    /** For AddLog functions: appends the record. */
    void log() {
        if (lane != null) {
            lane.append(request());
        }
    }

    void trace(@Nullable RunTrace trace) {
        this.trace = trace;
    }

    /**
     * Writes path and query as the origin of a {@link Action.Retrieve#REVERSE} sees them: the path in its normal form,
     * the mapped prefix replaced, the query as it came. Forwarded targets go as they came (RFC 9110 7.7).
     */
    public void writeTarget(ByteBuf out) {
        RequestHead head = request().head();
        if (head.targetForm() == TargetForm.ASTERISK) {
            out.writeByte('*');
            return;
        }
        int from = input.pathFrom;
        if (mappedTo != null) {
            out.writeBytes(mappedTo);
            from += mappedFrom;
            if (mappedTo.length == 0 && (from >= input.pathTo || input.pathBytes[from] != '/')) {
                out.writeByte('/');
            }
        }
        out.writeBytes(input.pathBytes, from, input.pathTo - from);
        out.writeBytes(head.bytes(), head.queryStart(), head.targetEnd() - head.queryStart());
    }
}

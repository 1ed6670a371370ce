package io.weir.proxy.program.run;

import io.weir.http.RequestHead;
import io.weir.http.TargetForm;
import io.weir.proxy.accesslog.LogLanes;
import io.weir.proxy.function.Stage;
import io.weir.proxy.program.ErrorPages;
import io.weir.proxy.program.destination.DestinationRefusal;
import io.weir.proxy.program.destination.DestinationRules;
import io.weir.proxy.program.match.PathForms;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One exchange's execution of a {@link Program}: the interpreter's state and the values that functions set. Confined to
 * the exchange's loop (a function on a pool's thread has no access to the run), reused from exchange to exchange, and
 * free of allocation if no function waits, restarts or redirects.
 *
 * <p>The engine drives: {@link #start} runs Input, AuthTrans, NameTrans, PathCheck and ObjectType; it then looks the
 * request up in the cache ({@link #cache()}); {@link #service} runs Route and Service and sets {@link #action()};
 * {@link #connect} runs DNS and Connect before a connection is made; {@link #output} runs Filter and Output before an
 * answer's head is written; {@link #error} runs Error for a fault, and {@link #finish} runs AddLog, always, once.
 */
public final class ProgramRun extends FunctionContext {
    /** Bound on the objects that apply to one request. */
    public static final int MAX_OBJECTS = AppliedObjects.MAX;

    private static final Stage[] START = {
        Stage.INPUT, Stage.AUTH_TRANS, Stage.NAME_TRANS, Stage.PATH_CHECK, Stage.OBJECT_TYPE
    };
    /** The stages in which a request may be restarted: before the cache look-up. */
    private static final Set<Stage> EARLY = EnumSet.copyOf(List.of(START));

    private static final Stage[] SERVE = {Stage.ROUTE, Stage.SERVICE};
    private static final Stage[] CONNECT = {Stage.DNS, Stage.CONNECT};
    private static final Stage[] OUTPUT = {Stage.FILTER, Stage.OUTPUT};
    private static final Stage[] ERROR = {Stage.ERROR};
    private static final Stage[] FINISH = {Stage.ADD_LOG};

    private final ProgramHost host;
    private final @Nullable LogLanes lanes;
    private final AppliedObjects objects = new AppliedObjects(this);
    private final PathForms paths = new PathForms();
    private final LongSupplier meaning = this::meaning;
    private final LongSupplier checks = this::checks;
    private @Nullable Program program;
    private @Nullable RunTrace trace;

    private Stage[] stages = START;
    private int stageAt;
    private int objectAt;
    private int directiveAt;
    private int restarts;
    private long generation;
    private boolean waiting;
    private @Nullable Directive running;
    private final StepCalls calls;

    /** A run for one connection at a time; {@code lanes} are the access log lanes of its loop, null for none. */
    public ProgramRun(ProgramHost host, @Nullable LogLanes lanes) {
        this.host = host;
        this.lanes = lanes;
        this.calls = new StepCalls(host, this);
    }

    /** Starts an exchange: resets all state, and runs to the end of ObjectType. */
    public RunState start(RequestContext request, Program program) {
        begin(request);
        this.program = program;
        host.runs().inc();
        calls.begin();
        restarts = 0;
        clearVariables();
        return begin();
    }

    private RunState begin() {
        Program p = program();
        clearValues();
        destination().begin();
        objects.clear();
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
        readScheme(r);
    }

    /** Runs Route and Service; afterwards {@link #action()} is the action to take. */
    public RunState service() {
        return enter(SERVE);
    }

    /** Runs DNS and Connect, when a connection is about to be made. */
    public RunState connect() {
        return enter(CONNECT);
    }

    /**
     * Runs Filter and Output, before the head of an origin's answer, stored or not, is written; functions here must not
     * wait. Needed only if {@link Program#hasOutput()}.
     */
    public RunState output(OriginAnswer answer) {
        answer(answer);
        try {
            return enter(OUTPUT);
        } finally {
            answer(null);
        }
    }

    /**
     * Runs Error for a fault. The fault is counted here, once for each answer.
     *
     * @return READY if a function set an {@link #action()} to answer with, else FAILED: {@link ErrorPages} answers
     */
    public RunState error(ProxyFault fault) {
        host.count(fault);
        ProxyFault before = this.fault;
        this.fault = fault;
        action = null;
        Action own = fault == before ? page : null;
        RunState state = enter(ERROR);
        if (state == RunState.READY && action == null) {
            action = own;
        }
        return state == RunState.READY && action == null ? RunState.FAILED : state;
    }

    /**
     * Runs AddLog: appends the record to the access log. Functions here must not wait, and their failures have no
     * effect.
     */
    public void finish() {
        abandon();
        enter(FINISH);
        abandon();
        calls.end();
    }

    /** The exchange ended while a function waits: its completion will have no effect. */
    public void abandon() {
        generation++;
        waiting = false;
        calls.abandon();
    }

    /** The function that runs, is waited for, or ran last. */
    public String function() {
        Directive mine = running;
        return mine == null ? "" : mine.function().name();
    }

    @Override
    public PendingStep pend() {
        Directive mine = running;
        if (mine == null) {
            throw new IllegalStateException("no function runs");
        }
        waiting = true;
        long turn = ++generation;
        return then -> request().loop().execute(() -> resume(turn, mine, then));
    }

    private void resume(long turn, Directive directive, ServerFunction.Step then) {
        if (turn != generation || !waiting) {
            return;
        }
        waiting = false;
        running = directive;
        RunState state = settle(calls.resume(directive, then));
        state = state == RunState.READY ? go() : state;
        if (state != RunState.WAITING) {
            request().resumed(state);
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

    /** Continues from the current position to the end of the group, or until it must stop. */
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
        // only a forwarded request may have another scheme than its connection
        boolean served = stages[stages.length - 1] == Stage.SERVICE;
        boolean misplaced = served && misdirected() && action != Action.Retrieve.FORWARD;
        return misplaced ? fail(ProxyFault.MISDIRECTED) : RunState.READY;
    }

    /** The next directive of the stage that applies, moving from object to object; -1 at the end of the stage. */
    private int nextDirective(Stage stage) {
        if (stage == Stage.SERVICE && action != null) {
            return -1;
        }
        while (objectAt < objects.count()) {
            int i = current(stage).list(stage).next(this, directiveAt);
            if (i >= 0) {
                return i;
            }
            objectAt++;
            directiveAt = 0;
        }
        return -1;
    }

    private ProgramObject current(Stage stage) {
        return objects.get(stage.reverse() ? objects.count() - 1 - objectAt : objectAt);
    }

    private RunState endOf(Stage stage) {
        if (stage == Stage.NAME_TRANS) {
            int before = objects.count();
            addByPath();
            if (objects.count() > before && !calls.objectFailed()) {
                return RunState.READY;
            }
            boolean ambiguous = paths.ambiguous(input, movesPath(), meaning, checks);
            if (ambiguous || calls.objectFailed()) {
                return fail(calls.objectFailed() ? ProxyFault.FUNCTION : ProxyFault.PATH_AMBIGUOUS);
            }
        }
        if (stage == Stage.SERVICE && action == null) {
            return fail(ProxyFault.NO_ROUTE);
        }
        stageAt++;
        enterStage();
        return RunState.READY;
    }

    @Override
    public List<String> otherPaths() {
        return paths.others(input);
    }

    private long meaning() {
        return objects.meaning(program());
    }

    private long checks() {
        return objects.checks(program());
    }

    private void addByPath() {
        Program p = program();
        for (int i = 0; i < p.pathObjects(); i++) {
            ProgramObject object = p.byPath(i, this);
            if (object != null) {
                add(object);
            }
        }
    }

    @Override
    void guardFailed(Directive directive, RuntimeException cause) {
        calls.guardFailed(directive, cause);
    }

    @Override
    void objectFailed(ProgramObject object, RuntimeException cause) {
        calls.objectFailed(object, cause);
    }

    private StepOutcome execute(Directive directive) {
        running = directive;
        StepOutcome outcome = calls.execute(directive);
        if (trace != null) {
            trace.ran(traced(directive.stage()), directive, outcome);
        }
        return outcome;
    }

    private ProgramObject traced(Stage stage) {
        return current(stage);
    }

    /** Applies an outcome: whether the run continues, and from where. */
    private RunState settle(StepOutcome outcome) {
        Stage stage = stages[stageAt];
        return switch (outcome) {
            case NOACTION -> RunState.READY;
            case PROCEED -> proceed(stage);
            case WAITING -> late(stage);
            case ABORTED -> stage == Stage.ADD_LOG ? RunState.READY : fail(ProxyFault.FUNCTION);
            case TOOBUSY -> stage == Stage.ADD_LOG ? RunState.READY : fail(ProxyFault.POOL_FULL);
            case EXIT -> stage == Stage.ADD_LOG ? RunState.READY : RunState.CLOSE;
            case RESTART -> stage == Stage.ADD_LOG ? RunState.READY : restart();
        };
    }

    /** Functions must not wait in these stages; if an answer depends on it, this is the function's failure. */
    private RunState late(Stage stage) {
        if (stage != Stage.OUTPUT && stage != Stage.FILTER && stage != Stage.ADD_LOG) {
            return RunState.WAITING;
        }
        abandon();
        return stage == Stage.ADD_LOG ? RunState.READY : fail(ProxyFault.FUNCTION);
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
        if (!EARLY.contains(stages[stageAt])) {
            return fail(ProxyFault.FUNCTION);
        }
        if (++restarts > program().restarts()) {
            return fail(ProxyFault.RESTART_LIMIT);
        }
        host.restarts().inc();
        return begin();
    }

    /** For functions: adds an object, once; returns false if there are too many. */
    boolean add(ProgramObject object) {
        if (!objects.contains(object) && object.shows()) {
            cacheChoice(null);
        }
        return objects.add(object);
    }

    @Override
    public boolean add(String name) {
        ProgramObject object = program().object(name);
        return object != null && add(object);
    }

    @Override
    public int restarts() {
        return restarts;
    }

    @Override
    public @Nullable Stage stage() {
        return stageAt < stages.length ? stages[stageAt] : null;
    }

    /** The objects that apply, default first. */
    public int objectCount() {
        return objects.count();
    }

    /** The program that the exchange started with. */
    public Program program() {
        Program p = program;
        if (p == null) {
            throw new IllegalStateException("the run was not started");
        }
        return p;
    }

    @Override
    DestinationRules destinations() {
        return program().destinations();
    }

    @Override
    boolean forwards() {
        return (input.form == TargetForm.ABSOLUTE || isHostMapped()) && route() == null && !objects.route();
    }

    @Override
    boolean onlyForwards() {
        return objects.onlyForward();
    }

    @Override
    public StepOutcome refuse(DestinationRefusal refusal) {
        host.count(refusal);
        return abort(ProxyFault.of(refusal));
    }

    @Override
    public ServerViews views() {
        return host.views();
    }

    @Override
    public Logins logins() {
        return host.logins();
    }

    @Override
    public void count(Logins.Result result) {
        host.count(result);
    }

    @Override
    public long now() {
        return host.clock().nanos();
    }

    @Override
    public long millis() {
        return host.clock().millis();
    }

    @Override
    public String lastObject() {
        return objects.get(objects.count() - 1).name();
    }

    @Override
    public StepOutcome tooOften(long nanos) {
        host.tooOften().inc();
        retryAfter(nanos);
        return abort(ProxyFault.REQUEST_RATE);
    }

    @Override
    public void log(String name) {
        if (lanes != null) {
            lanes.append(name, request());
        }
    }

    @Override
    public void logUserAgent(String name) {
        if (lanes != null) {
            lanes.appendUserAgent(name, request());
        }
    }

    public void trace(@Nullable RunTrace trace) {
        this.trace = trace;
    }
}

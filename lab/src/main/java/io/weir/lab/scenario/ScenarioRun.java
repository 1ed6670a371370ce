package io.weir.lab.scenario;

import io.weir.base.Clock;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One run of one scenario: binds the origins, starts the server, plays the steps, ends everything. Lives for the run;
 * confined to the thread that runs it, except for {@link ActorStage}, which actors call.
 */
final class ScenarioRun implements ActorStage {
    private final Scenario scenario;
    private final Weir.Launcher launcher;
    private final Certificates certificates;
    private final Map<String, String> places;
    private final Path folder;
    private final Clock clock;
    private final int patienceMillis;
    private final Transcript transcript;
    private final Signals signals = new Signals();
    private final Map<String, String> variables = new ConcurrentHashMap<>();
    private final Map<String, ServerSocket> origins = new LinkedHashMap<>();
    private final List<Cast> cast = new ArrayList<>();
    private @Nullable DatagramSocket silent;
    private final List<Socket> crowd = new ArrayList<>();
    private final Socket nobody = new Socket();
    private volatile @Nullable Weir weir;
    private volatile @Nullable Counters counters;
    private Counters.@Nullable Reading baseline;
    private boolean exited;

    ScenarioRun(Scenario scenario, ScenarioRunner runner, Path folder) {
        this.scenario = scenario;
        this.launcher = runner.launcher();
        this.certificates = runner.certificates();
        this.places = runner.places();
        this.clock = runner.clock();
        this.patienceMillis = runner.patienceMillis();
        this.folder = folder;
        this.transcript = new Transcript(clock);
    }

    /** Plays all steps; throws with the transcript if one fails. */
    void run() throws IOException, InterruptedException {
        try {
            bindOrigins();
            variables.putAll(certificates.variables());
            variables.putAll(places);
            variables.put("data", folder.resolve("data").toString());
            variables.put("folder", folder.toString());
            for (Map.Entry<String, String> file : scenario.files().entrySet()) {
                Path named = folder.resolve(file.getKey());
                Files.createDirectories(named.resolveSibling(""));
                Files.writeString(named, Text.fillKnown(file.getValue(), variables));
            }
            if (!scenario.has("refuses") && !scenario.tags().contains("serverless")) {
                start();
            }
            for (Line step : scenario.steps()) {
                step(step);
            }
            join();
            strangersRefused();
        } catch (ScenarioFailure | Weir.StartRefused e) {
            throw new ScenarioFailure(
                    scenario.name() + ": " + scenario.about() + "\n" + e.getMessage() + "\n--- transcript\n"
                            + transcript + serverLog(),
                    e);
        } finally {
            end();
        }
    }

    private void bindOrigins() throws IOException {
        for (String name : scenario.origins()) {
            if (!origins.containsKey(name)) {
                ServerSocket socket = new ServerSocket(0, 1024, InetAddress.getLoopbackAddress());
                origins.put(name, socket);
                variables.put(name, String.valueOf(socket.getLocalPort()));
            }
        }
        // bound and not listening: the port stays reserved while the scenario runs
        nobody.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        variables.put("nobody", String.valueOf(nobody.getLocalPort()));
        if (String.valueOf(scenario.config()).contains("${silent}")) {
            DatagramSocket unheard = new DatagramSocket(0, InetAddress.getLoopbackAddress());
            silent = unheard;
            variables.put("silent", String.valueOf(unheard.getLocalPort()));
        }
        if (String.valueOf(scenario.config()).contains("${full}")) {
            ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
            origins.put("full", full);
            variables.put("full", String.valueOf(full.getLocalPort()));
            fill(full);
        }
    }

    /** Connects until the backlog of a socket that never accepts is full. */
    private void fill(ServerSocket full) throws IOException {
        for (int i = 0; i < 16; i++) {
            Socket one = new Socket();
            crowd.add(one);
            try {
                one.connect(full.getLocalSocketAddress(), 200);
            } catch (java.net.SocketTimeoutException e) {
                transcript.add("full", "after " + i + " connections: " + e.getMessage());
                return;
            }
        }
    }

    private void start() throws IOException, InterruptedException, Weir.StartRefused {
        String config = scenario.config();
        Path file = null;
        if (config != null) {
            file = Files.writeString(folder.resolve("weir.yaml"), Text.fill(config, variables));
        }
        List<String> sets =
                scenario.sets().stream().map(s -> Text.fill(s, variables)).toList();
        Weir started = launcher.start(file, folder.resolve("data"), sets);
        weir = started;
        exited = false;
        Counters read = new Counters(started.port("admin"), clock);
        counters = read;
        baseline = read.read();
        transcript.add("weir", "started");
    }

    private void step(Line step) throws IOException, InterruptedException, Weir.StartRefused {
        String rest = step.rest();
        switch (step.word()) {
            case "origin", "client" -> enter(step);
            case "join" -> join();
            case "counter", "until" -> counter(Text.fill(rest, variables));
            case "log" -> log(step, Text.fill(rest, variables));
            case "file" -> file(step, Text.fill(rest, variables));
            case "write" -> write(step, rest);
            case "refuses" -> refuses(step, Text.fill(rest, variables));
            case "stop" -> weir().stop();
            case "kill" -> weir().kill();
            case "restart" -> restart();
            case "exited" -> exited(step, rest);
            case "signal" -> signal("scenario", rest);
            case "await" -> await(rest);
            default -> throw new ScenarioFailure("line " + step.number() + ": unknown step");
        }
    }

    /** {@code origin NAME:}, {@code client NAME [x N] [&]:}: origins always play in the background. */
    private void enter(Line step) throws InterruptedException {
        String[] words = step.rest().split("\\s+", -1);
        boolean origin = step.word().equals("origin");
        List<String> options = List.of(words).subList(1, words.length);
        boolean background = origin || options.contains("&");
        int times = options.contains("x") ? Integer.parseInt(options.get(options.indexOf("x") + 1)) : 1;
        List<Cast> entered = new ArrayList<>();
        for (int i = 1; i <= times; i++) {
            String name = times == 1 ? words[0] : words[0] + "." + i;
            Actor actor = new Actor(name, this, origin ? origins.get(words[0]) : null, Map.of("n", String.valueOf(i)));
            Cast member = new Cast(name, actor, step.children());
            entered.add(member);
            cast.add(member);
        }
        if (!background) {
            for (Cast member : entered) {
                member.join();
            }
            entered.forEach(Cast::demandSuccess);
        }
    }

    private void join() throws InterruptedException {
        for (Cast member : cast) {
            member.join();
        }
        cast.forEach(Cast::demandSuccess);
    }

    private void log(Line step, String rest) {
        String[] parts = rest.split("\\s+", 2);
        Pattern pattern = Pattern.compile(parts[1]);
        boolean wanted = parts[0].equals("~");
        boolean held = poll(
                () -> weir().log().stream().anyMatch(l -> pattern.matcher(l).find()) == wanted);
        Checks.demand(held, "line " + step.number() + ": the log has " + (wanted ? "no" : "a") + " line ~ " + parts[1]);
    }

    private void file(Line step, String rest) {
        String[] parts = rest.split("\\s+", 3);
        Path file = folder.resolve(parts[0]);
        Pattern pattern = Pattern.compile(parts.length > 2 ? parts[2] : "", Pattern.DOTALL | Pattern.MULTILINE);
        boolean held = poll(() -> {
            String text = Files.exists(file) ? Files.readString(file) : "";
            return switch (parts[1]) {
                case "~" -> pattern.matcher(text).find();
                case "!~" -> !pattern.matcher(text).find();
                case "absent" -> !Files.exists(file);
                case "present" -> Files.exists(file);
                default -> throw new ScenarioFailure("unknown operator `" + parts[1] + "`");
            };
        });
        if (!held) {
            String text = "";
            try {
                text = Files.exists(file) ? Files.readString(file) : "(there is none)";
            } catch (IOException e) {
                text = e.getMessage();
            }
            throw new ScenarioFailure(
                    "line " + step.number() + ": file " + parts[0] + " is not " + rest + "; it is:\n" + text);
        }
    }

    /** Writes a file below the scenario's folder from the lines of the block. */
    private void write(Line step, String rest) throws IOException {
        Path file = folder.resolve(rest);
        Files.createDirectories(java.util.Objects.requireNonNull(file.getParent()));
        StringBuilder text = new StringBuilder();
        step.children().forEach(l -> text.append(Text.fill(l.text(), variables)).append('\n'));
        Files.writeString(file, text);
    }

    private void refuses(Line step, String rest) throws IOException, InterruptedException {
        String[] parts = rest.split("\\s+", 2);
        try {
            start();
        } catch (Weir.StartRefused e) {
            String said = e.getMessage() == null ? "" : e.getMessage();
            transcript.add("weir", "refused: " + said);
            Checks.compare("line " + step.number() + ": what the refused start printed", said, parts[0], parts[1]);
            return;
        }
        throw new ScenarioFailure("line " + step.number() + ": the server started");
    }

    private void restart() throws IOException, InterruptedException, Weir.StartRefused {
        weir().exit();
        weir().close();
        start();
    }

    private void exited(Line step, String rest) throws InterruptedException {
        int exit = weir().exit();
        exited = true;
        Checks.demand(
                rest.isEmpty() || exit == Integer.parseInt(rest), "line " + step.number() + ": exit status is " + exit);
    }

    /** Fails for a connection that no script accepted: a request that should not have been made. */
    private void strangersRefused() throws IOException {
        for (Map.Entry<String, ServerSocket> origin : origins.entrySet()) {
            if (scenario.tags().contains("loose")
                    || origin.getKey().equals("full")
                    || origin.getValue().isClosed()) {
                continue;
            }
            origin.getValue().setSoTimeout(1);
            try {
                origin.getValue().accept().close();
            } catch (java.net.SocketTimeoutException expected) {
                continue;
            }
            throw new ScenarioFailure(
                    "origin " + origin.getKey() + " got a connection that its script does not accept");
        }
    }

    private void end() throws IOException {
        cast.forEach(Cast::close);
        for (ServerSocket origin : origins.values()) {
            origin.close();
        }
        for (Socket one : crowd) {
            one.close();
        }
        nobody.close();
        if (silent != null) {
            silent.close();
        }
        Weir running = weir;
        if (running != null) {
            if (!exited) {
                running.kill();
            }
            running.close();
        }
    }

    private String serverLog() {
        Weir running = weir;
        if (running == null) {
            return "";
        }
        List<String> log = running.log();
        return "\n--- server log\n" + String.join("\n", log.subList(Math.max(0, log.size() - 60), log.size()));
    }

    private Weir weir() {
        Weir running = weir;
        if (running == null) {
            throw new ScenarioFailure("the server does not run");
        }
        return running;
    }

    private interface Condition {
        boolean holds() throws IOException;
    }

    private boolean poll(Condition condition) {
        long deadline = clock.nanos() + TimeUnit.MILLISECONDS.toNanos(patienceMillis);
        try {
            while (!condition.holds()) {
                if (clock.nanos() - deadline > 0) {
                    return false;
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
            }
            return true;
        } catch (IOException e) {
            throw new ScenarioFailure(String.valueOf(e.getMessage()), e);
        }
    }

    @Override
    public int port(String listener) {
        return weir().port(listener);
    }

    @Override
    public Certificates certificates() {
        return certificates;
    }

    @Override
    public Transcript transcript() {
        return transcript;
    }

    @Override
    public int patienceMillis() {
        return patienceMillis;
    }

    /**
     * Replaces placeholders: the scenario's values, {@code port.NAME} of a listener and {@code token}, the admin token.
     */
    @Override
    public String fill(String text, Map<String, String> local) {
        if (!text.contains("${")) {
            return text;
        }
        Map<String, String> all = new LinkedHashMap<>(variables);
        all.putAll(local);
        java.util.regex.Matcher port = Pattern.compile("\\$\\{port\\.([^}]+)}").matcher(text);
        while (port.find()) {
            all.put("port." + port.group(1), String.valueOf(port(port.group(1))));
        }
        if (text.contains("${token}")) {
            all.put("token", token());
        }
        return Text.fill(text, all);
    }

    private String token() {
        try {
            return Files.readString(weir().data().resolve("admin.token")).strip();
        } catch (IOException e) {
            throw new ScenarioFailure("no admin token in the data directory", e);
        }
    }

    @Override
    public void share(String name, String value) {
        variables.put(name, value);
    }

    @Override
    public void signal(String who, String point) {
        transcript.add(who, "signal " + point);
        signals.signal(point);
    }

    @Override
    public void await(String point) {
        signals.await(point, patienceMillis);
    }

    @Override
    public void until(String condition) {
        counter(condition);
    }

    @Override
    public void counter(String condition) {
        Counters read = counters;
        Counters.Reading base = baseline;
        if (read == null || base == null) {
            throw new ScenarioFailure("the server does not run");
        }
        read.await(condition, base);
        transcript.add("counter", condition);
    }

    /** An actor on its thread. */
    private final class Cast {
        private final String name;
        private final Actor actor;
        private final Thread thread;
        private volatile @Nullable Throwable failure;

        Cast(String name, Actor actor, List<Line> block) {
            this.name = name;
            this.actor = actor;
            this.thread = Thread.ofVirtual().name(name).start(() -> play(block));
        }

        private void play(List<Line> block) {
            try {
                actor.play(block);
                transcript.add(name, "done");
            } catch (RuntimeException | Error e) {
                failure = e;
                transcript.add(name, "FAILED " + e.getMessage());
                signals.abort(e);
            } finally {
                if (failure != null) {
                    actor.closeAll();
                }
            }
        }

        /** Waits for the end of the script: each of its commands has a time-out, so this is bounded, too. */
        void join() throws InterruptedException {
            thread.join();
        }

        void demandSuccess() {
            Throwable failed = failure;
            if (failed instanceof ScenarioFailure f) {
                throw new ScenarioFailure(String.valueOf(f.getMessage()), f);
            }
            if (failed != null) {
                throw new ScenarioFailure(name + " failed: " + failed, failed);
            }
        }

        void close() {
            thread.interrupt();
            actor.closeAll();
        }
    }
}

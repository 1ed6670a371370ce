package io.weir.cluster.state;

import io.weir.base.Fence;
import io.weir.cluster.state.deployments.DeploymentCommand;
import io.weir.cluster.state.entry.Command;
import io.weir.cluster.state.entry.LeaseRef;
import io.weir.cluster.state.leases.LeaseCommand;
import io.weir.cluster.state.members.MemberCommand;
import io.weir.cluster.state.naming.BindingValue;
import io.weir.cluster.state.naming.NamingCommand;
import io.weir.cluster.state.purges.PurgeCommand;
import io.weir.cluster.state.singletons.CheckpointCommand;
import io.weir.cluster.state.singletons.FailBackMode;
import io.weir.cluster.state.singletons.SingletonCommand;
import io.weir.cluster.state.singletons.SingletonSpec;
import io.weir.cluster.state.timers.Misfire;
import io.weir.cluster.state.timers.TimerCommand;
import io.weir.cluster.state.timers.TimerSpec;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** One of each command. */
final class Samples {
    static final Fence FENCE = new Fence(3, 99);
    static final SingletonSpec SPEC = SingletonSpec.of("poller", "app.Poller")
            .preferring("a")
            .among(List.of("a", "b"))
            .attempting(7, 1234)
            .failingBack(FailBackMode.AFTER, 99)
            .deployedBy("app")
            .enabled(false)
            .with(Map.of("directory", "in", "empty", ""));
    static final TimerSpec TIMER = new TimerSpec("nightly", "0 3 * * *", "Europe/Berlin", Misfire.FIRE_ALL, "jms:q");
    private static final BindingValue REMOTE =
            new BindingValue.Remote("poller", List.of(new BindingValue.Interface("app.Poller", -42)));

    private Samples() {}

    static final List<Command> ALL = List.of(
            new MemberCommand.Join("a", -1, "disk", "a:7001", true),
            new MemberCommand.Leave("a", 1),
            new MemberCommand.Remove("a"),
            new MemberCommand.Remove("a", "sold"),
            new MemberCommand.Configures("a", 7, new TreeSet<>(List.of("x", "y")), new TreeSet<>(List.of("t"))),
            new MemberCommand.TookOver("a", 7, true),
            new MemberCommand.BootDelayOver(3),
            new MemberCommand.RaiseEpoch(4),
            new LeaseCommand.Acquire("singleton/x", "a", 1, 2),
            new LeaseCommand.Renew("a", 1, List.of(new LeaseRef("singleton/x", FENCE), new LeaseRef("y", FENCE))),
            new LeaseCommand.Release("singleton/x", FENCE),
            new LeaseCommand.Expire("singleton/x", FENCE, 88),
            new LeaseCommand.Recorded("singleton/x", "a", 1, FENCE),
            new LeaseCommand.Lost("singleton/x", FENCE),
            new SingletonCommand.Define(SPEC),
            new SingletonCommand.Define(SingletonSpec.of("plain", "X")),
            new SingletonCommand.Undefine("x"),
            new SingletonCommand.Forget("x", "f"),
            new SingletonCommand.Activated("x", FENCE, 5),
            new SingletonCommand.ActivationFailed("x", FENCE, "why\nso"),
            new SingletonCommand.NotTaken("x", 5),
            new SingletonCommand.RetryNow("x", 5),
            new SingletonCommand.FailBack("x", 5, FENCE),
            new SingletonCommand.Migrate("x", "b", "because"),
            new SingletonCommand.Migrate("x", null, ""),
            new SingletonCommand.Migrate("x", "b", "as earlier versions have it", false),
            new SingletonCommand.Pause("x", "p"),
            new SingletonCommand.Resume("x", "r"),
            new NamingCommand.Bind("a/b", "singleton/x", FENCE, REMOTE),
            new NamingCommand.Rebind("a/b", "singleton/x", FENCE, new BindingValue.Text("grün\n")),
            new NamingCommand.Unbind("a/b", "singleton/x", FENCE),
            new TimerCommand.DefineTimer(TIMER, 5),
            new TimerCommand.RemoveTimer("t"),
            new TimerCommand.ForgetTimer("t", "f"),
            new TimerCommand.PauseTimer("t", "p"),
            new TimerCommand.ResumeTimer("t", "r"),
            new TimerCommand.FireNow("t", 6, "now"),
            new TimerCommand.FireNow("t", 6, "", 6),
            new TimerCommand.Fire("t", 6, FENCE, true),
            new TimerCommand.FireDone("t", 6, FENCE, false, "failed"),
            new TimerCommand.Skip("t", 6, FENCE),
            new DeploymentCommand.Deploy("app", "ab", 10, "a", List.of(SPEC), "because"),
            new DeploymentCommand.Fetched("app", 7, "b"),
            new DeploymentCommand.Undeploy("app", "old"),
            new CheckpointCommand.Put("x", "key", "grün\n", FENCE),
            new CheckpointCommand.Remove("x", "key", FENCE),
            new PurgeCommand.Add(7, "http://www.example.com/grün"),
            new PurgeCommand.Add(-1, ""),
            new PurgeCommand.Applied("a", 7, 5),
            new PurgeCommand.Serves("a", "10.0.0.1:7811"),
            new PurgeCommand.Serves("a", ""));
}

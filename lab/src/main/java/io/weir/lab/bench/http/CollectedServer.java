package io.weir.lab.bench.http;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import io.weir.lab.bench.process.BenchProcesses;
import io.weir.lab.bench.process.PauseLog;
import io.weir.lab.bench.process.WeirServer;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/**
 * A server whose collector is measured, with a connection on which collections are asked for: starting jcmd would use the
 * processors in the turn. Lives for one run; confined to its thread.
 */
final class CollectedServer implements AutoCloseable {
    private final String name;
    private final int mebibytes;
    private final WeirServer weir;
    private final PauseLog log;
    private final JMXConnector connection;
    private final MemoryMXBean memory;

    @SuppressWarnings("BanJNDI") // a server of this benchmark, through the agent that it was asked for
    CollectedServer(String name, int mebibytes, WeirServer weir, PauseLog log) throws IOException {
        this.name = name;
        this.mebibytes = mebibytes;
        this.weir = weir;
        this.log = log;
        this.connection = JMXConnectorFactory.connect(new JMXServiceURL(agent(weir.pid())));
        this.memory = ManagementFactory.newPlatformMXBeanProxy(
                connection.getMBeanServerConnection(), ManagementFactory.MEMORY_MXBEAN_NAME, MemoryMXBean.class);
    }

    private static String agent(long pid) throws IOException {
        try {
            VirtualMachine jvm = VirtualMachine.attach(Long.toString(pid));
            try {
                return jvm.startLocalManagementAgent();
            } finally {
                jvm.detach();
            }
        } catch (AttachNotSupportedException e) {
            throw new IOException("the server cannot be asked to collect", e);
        }
    }

    String name() {
        return name;
    }

    /** The heap's largest size. */
    int mebibytes() {
        return mebibytes;
    }

    WeirServer weir() {
        return weir;
    }

    PauseLog log() {
        return log;
    }

    long residentBytes() throws IOException {
        return BenchProcesses.residentBytes(weir.pid());
    }

    /** Bytes on the heap after a collection. */
    long liveBytes() {
        memory.gc();
        return memory.getHeapMemoryUsage().getUsed();
    }

    /** Has the whole heap collected once, in the middle of the turn that begins now; the thread ends after it. */
    Thread collectSoon(int seconds) {
        return Thread.ofPlatform().name("collect").start(() -> {
            LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(seconds) / 2);
            memory.gc();
        });
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }
}

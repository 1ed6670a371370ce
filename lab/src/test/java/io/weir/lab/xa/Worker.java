package io.weir.lab.xa;

import com.arjuna.ats.arjuna.common.CoreEnvironmentBean;
import com.arjuna.ats.arjuna.common.ObjectStoreEnvironmentBean;
import com.arjuna.ats.arjuna.common.RecoveryEnvironmentBean;
import com.arjuna.ats.arjuna.recovery.RecoveryManager;
import com.arjuna.ats.arjuna.recovery.RecoveryModule;
import com.arjuna.ats.internal.jta.recovery.arjunacore.XARecoveryModule;
import com.arjuna.ats.jta.common.JTAEnvironmentBean;
import com.arjuna.ats.jta.recovery.XAResourceRecoveryHelper;
import com.arjuna.common.internal.util.propertyservice.BeanPopulator;
import io.weir.jms.WeirXAConnectionFactory;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.TextMessage;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import jakarta.transaction.RollbackException;
import jakarta.transaction.SystemException;
import jakarta.transaction.Transaction;
import jakarta.transaction.TransactionManager;
import java.sql.PreparedStatement;
import java.util.List;
import java.util.function.Consumer;
import javax.sql.XADataSource;
import javax.transaction.xa.XAResource;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.xa.PGXADataSource;

/**
 * A process with a transaction manager: first it recovers what an earlier one left, then it moves the messages of queue
 * {@code in} to queue {@code out} and writes a row for each, in one transaction each, until the queue is empty. It may die,
 * or kill the broker, at one point of one transaction.
 */
final class Worker {
    /** It was to die, and did. */
    static final int DIED = 77;
    /** The broker died, and the worker ended. */
    static final int BROKER_GONE = 78;

    private static final int MOST_SCANS = 60;

    private final TransactionManager manager = com.arjuna.ats.jta.TransactionManager.transactionManager();
    private final WeirXAConnectionFactory broker;
    private final XADataSource database;
    private Consumer<String> at = point -> {};

    private Worker(String broker, XADataSource database) {
        this.broker = new WeirXAConnectionFactory(broker);
        this.database = database;
    }

    /**
     * Runs it.
     *
     * @param args the broker's URL, its process, the database's URL, the folder of the manager's log, the point of the fault,
     * who dies there, in which transaction
     */
    public static void main(String[] args) throws Exception {
        configure(args[3]);
        Worker worker = new Worker(args[0], database(args[2]));
        worker.recover();
        Fault fault = new Fault(args[4], args[5].equals("broker"));
        @Nullable
        ProcessHandle victim = ProcessHandle.of(Long.parseLong(args[1])).orElse(null);
        int when = Integer.parseInt(args[6]);
        worker.work(fault, victim, when);
        System.exit(0);
    }

    static XADataSource database(String url) {
        if (url.startsWith("jdbc:h2:")) {
            JdbcDataSource h2 = new JdbcDataSource();
            h2.setURL(url);
            return h2;
        }
        PGXADataSource postgres = new PGXADataSource();
        postgres.setUrl(url);
        return postgres;
    }

    private static void configure(String folder) throws Exception {
        for (String store : new String[] {"default", "communicationStore", "stateStore"}) {
            BeanPopulator.getNamedInstance(ObjectStoreEnvironmentBean.class, store.equals("default") ? null : store)
                    .setObjectStoreDir(folder);
        }
        BeanPopulator.getDefaultInstance(CoreEnvironmentBean.class).setNodeIdentifier("1");
        RecoveryEnvironmentBean recovery = BeanPopulator.getDefaultInstance(RecoveryEnvironmentBean.class);
        recovery.setRecoveryBackoffPeriod(1);
        recovery.setRecoveryListener(false);
        JTAEnvironmentBean jta = BeanPopulator.getDefaultInstance(JTAEnvironmentBean.class);
        jta.setXaRecoveryNodes(List.of("1"));
        jta.setOrphanSafetyInterval(1);
        jta.setXaResourceOrphanFilterClassNames(List.of(
                "com.arjuna.ats.internal.jta.recovery.arjunacore.JTATransactionLogXAResourceOrphanFilter",
                "com.arjuna.ats.internal.jta.recovery.arjunacore.JTANodeNameXAResourceOrphanFilter"));
    }

    /** Ends what earlier transactions have prepared. */
    private void recover() throws Exception {
        try (XAConnection queue = broker.createXAConnection()) {
            javax.sql.XAConnection rows = database.getXAConnection();
            XAResource one = queue.createXASession().getXAResource();
            XAResource two = rows.getXAResource();
            RecoveryManager recovery = RecoveryManager.manager(RecoveryManager.DIRECT_MANAGEMENT);
            recovery.initialize();
            for (RecoveryModule module : recovery.getModules()) {
                if (module instanceof XARecoveryModule xa) {
                    xa.addXAResourceRecoveryHelper(helper(one, two));
                }
            }
            int scans = 0;
            do {
                recovery.scan();
                if (++scans > MOST_SCANS) {
                    throw new IllegalStateException("transactions stay in doubt");
                }
            } while (inDoubt(one) + inDoubt(two) > 0);
            recovery.terminate();
            rows.close();
        }
    }

    static int inDoubt(XAResource resource) throws Exception {
        return resource.recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN).length;
    }

    private static XAResourceRecoveryHelper helper(XAResource... resources) {
        return new XAResourceRecoveryHelper() {
            @Override
            public boolean initialise(String parameter) {
                return true;
            }

            @Override
            public XAResource[] getXAResources() {
                return resources.clone();
            }
        };
    }

    private void work(Fault fault, @Nullable ProcessHandle victim, int when) throws Exception {
        try (XAConnection connection = broker.createXAConnection()) {
            XASession session = connection.createXASession();
            javax.sql.XAConnection rows = database.getXAConnection();
            // one for all transactions: H2 rolls back what is open when another is taken
            java.sql.Connection sql = rows.getConnection();
            MessageConsumer consumer = session.createConsumer(session.createQueue("in"));
            connection.start();
            boolean more = true;
            for (int number = 0; more; number++) {
                boolean faulty = number == when;
                at = point -> {
                    if (faulty) {
                        fault.at(point, victim);
                    }
                };
                more = one(session, consumer, rows.getXAResource(), sql);
                if (victim != null && !victim.isAlive()) {
                    System.exit(BROKER_GONE);
                }
            }
        }
    }

    /** One transaction; false if there is nothing to do. */
    private boolean one(XASession session, MessageConsumer consumer, XAResource rows, java.sql.Connection sql)
            throws Exception {
        manager.begin();
        try {
            Transaction transaction = manager.getTransaction();
            enlist(transaction, new FaultyResource(session.getXAResource(), "queue", p -> at.accept(p)));
            enlist(transaction, new FaultyResource(rows, "database", p -> at.accept(p)));
            Message message = consumer.receiveNoWait();
            if (message == null) {
                manager.rollback();
                return false;
            }
            String text = ((TextMessage) message).getText();
            try (PreparedStatement insert = sql.prepareStatement("insert into moved(id) values (?)")) {
                insert.setString(1, text);
                insert.executeUpdate();
            }
            session.createProducer(session.createQueue("out")).send(session.createTextMessage(text));
            manager.commit();
        } catch (Exception e) {
            // the broker was killed: what became of this transaction the recovery finds out
            System.out.println("a transaction failed: " + e);
        }
        return true;
    }

    private static void enlist(Transaction transaction, XAResource resource) throws RollbackException, SystemException {
        if (!transaction.enlistResource(resource)) {
            throw new IllegalStateException("a resource was not enlisted");
        }
    }
}

package io.weir.server.admin.views;

import io.weir.broker.admin.BrokerAdmin;
import io.weir.cluster.log.LocalLog;
import io.weir.journal.Journals;
import io.weir.journal.damage.Damage;
import io.weir.journal.damage.Damages;
import io.weir.server.admin.AdminAnswer;
import io.weir.server.admin.AdminRequest;
import io.weir.server.admin.AdminRouter;
import io.weir.server.admin.AdminRouter.Where;
import io.weir.server.cluster.Clustering;
import io.weir.server.facts.DamageFacts;
import io.weir.server.files.DataDirectory;
import io.weir.server.json.Json;
import io.weir.server.json.Layout;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Damage of the journals on the admin listener: {@code GET /damage} lists what is not acknowledged, {@code POST
 * /damage/acknowledge} acknowledges it. Shared.
 */
public final class DamageViews {
    private final DamageFacts facts;

    public DamageViews(DamageFacts facts) {
        this.facts = facts;
    }

    public void register(AdminRouter router) {
        router.on(
                "GET",
                "/damage",
                Where.THREAD,
                _ -> AdminAnswer.json(
                        200,
                        Json.rows(facts.all().toList(), (d, to) -> journal(d.journal(), d.beyond(), d.open(), to))));
        router.change("POST", "/damage/acknowledge", this::acknowledge, "journal", "up-to");
    }

    private AdminAnswer acknowledge(AdminRequest request) throws IOException {
        String journal = request.parameter("journal");
        String upTo = request.parameter("up-to");
        if (journal == null || upTo == null || !upTo.matches("[0-9]{1,18}")) {
            return AdminAnswer.problem(
                    400,
                    "Bad request",
                    "the query needs journal and up-to, the highest number that was seen, such as journal=messages&up-to=3");
        }
        for (Damages d : facts.all().toList()) {
            if (d.journal().equals(journal)) {
                String by = request.author() + " from "
                        + request.remote().getAddress().getHostAddress();
                int acknowledged = d.acknowledge(Long.parseLong(upTo), by);
                return AdminAnswer.json(200, j -> j.add("acknowledged", acknowledged));
            }
        }
        return AdminAnswer.problem(404, "Not found", "no journal \"" + journal + "\" is open here");
    }

    /**
     * The same for a data directory on which no server runs.
     *
     * @throws IOException when a list cannot be read
     */
    public static String offline(Path dataDir) throws IOException {
        Path log = dataDir.resolve(Clustering.FOLDER).resolve(Clustering.LOG);
        Map<String, List<Damage>> all = new LinkedHashMap<>();
        all.put(BrokerAdmin.JOURNAL, Journals.damage(BrokerAdmin.JOURNAL, dataDir.resolve(DataDirectory.MESSAGES)));
        all.put(LocalLog.NAME, Journals.damage(LocalLog.NAME, log));
        return Json.rows(all.entrySet(), (e, to) -> journal(e.getKey(), 0, e.getValue(), to));
    }

    private static void journal(String name, long beyond, List<Damage> open, Json to) {
        to.add("journal", name).add("beyond", beyond).array("places", Layout.LINES, open, DamageViews::place);
    }

    private static void place(Damage d, Json to) {
        to.add("number", d.number())
                .add("found", Instant.ofEpochMilli(d.found()).toString())
                .add("by", d.by())
                .add("file", d.file())
                .add("offset", d.offset())
                .add("length", d.length())
                .add("cause", d.cause())
                .add("lost", d.lost());
    }
}

package io.weir.server.figures.origins;

import io.weir.proxy.pool.OriginStats;
import io.weir.server.figures.Figure;
import io.weir.server.figures.FigureGroup;
import io.weir.server.figures.Texts;
import io.weir.server.figures.origins.OriginFigures.Server;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Every figure of pools and their servers, once: perfdump, stats-xml with its document type, JMX, JSON and docs follow. */
public final class OriginDeclarations {
    /** A pool. */
    public static final FigureGroup<OriginFigures> POOL = new FigureGroup<>(
            "A pool of origin servers",
            "origin-pool-bucket",
            null,
            "",
            List.of(
                    Figure.<OriginFigures>text("Its name.", OriginFigures::pool)
                            .attribute("name")
                            .member("pool"),
                    Figure.<OriginFigures>text("How servers are chosen.", OriginFigures::balance)
                            .attribute("balance")
                            .member("balance"),
                    Figure.<OriginFigures>count(OriginStats.RETRIES, OriginFigures::retries)
                            .attribute("countRetries")
                            .member("retries"),
                    Figure.<OriginFigures>count(OriginStats.RETRIES_REFUSED, OriginFigures::retriesRefused)
                            .attribute("countRetriesRefused")
                            .member("retriesRefused"),
                    Figure.<OriginFigures>count(
                                    "requests",
                                    "Requests that no server took because all were full.",
                                    OriginFigures::refusedBusy)
                            .attribute("countRefusedBusy")
                            .member("refusedBusy"),
                    Figure.<OriginFigures>count(
                                    "requests",
                                    "Requests that no server took because none was up.",
                                    OriginFigures::refusedDown)
                            .attribute("countRefusedDown")
                            .member("refusedDown"),
                    Figure.<OriginFigures>count(
                                    "requests",
                                    "Requests of sessions that reached their server.",
                                    OriginFigures::stickyFollowed)
                            .attribute("countSticky")
                            .member("sticky"),
                    Figure.<OriginFigures>count(
                                    "requests",
                                    "Requests of sessions whose server was down or full.",
                                    OriginFigures::stickyStrayed)
                            .attribute("countStickyStrayed")
                            .member("stickyStrayed"),
                    Figure.<OriginFigures>count(
                                    "requests",
                                    "Requests with a route that no server has.",
                                    OriginFigures::stickyUnknown)
                            .attribute("countStickyUnknown")
                            .member("stickyUnknown")));

    /** A server of a pool. */
    public static final FigureGroup<Server> SERVER = new FigureGroup<>(
                    "An origin server",
                    "origin-server-bucket",
                    "OriginServerRuntime",
                    "Origins:",
                    List.of(
                            Figure.<Server>text("The pool that it is in.", Server::pool)
                                    .column("Pool")
                                    .bean("Pool"),
                            Figure.<Server>text("Its URL, with its address if that is one of several.", Server::name)
                                    .column("Server")
                                    .attribute("name")
                                    .bean("Name")
                                    .member("server"),
                            Figure.<Server>text("Its identifier in cookies.", Server::route)
                                    .attribute("route")
                                    .member("route"),
                            Figure.<Server>text("up, warming, trial, down or leaving.", Server::state)
                                    .column("State")
                                    .attribute("mode", "up", "warming", "trial", "down", "leaving")
                                    .bean("State")
                                    .member("state"),
                            Figure.<Server>count("milliseconds", "Since when, from 1970.", Server::since)
                                    .column("Since", Figure.DATE, OriginDeclarations::time)
                                    .attribute("timeSince", TimeUnit.SECONDS)
                                    .bean("StateSince")
                                    .member("since", Figure.DATE, OriginDeclarations::time),
                            Figure.<Server>number("shares", "Its share relative to the others.", Server::weight)
                                    .column("Weight")
                                    .attribute("weight")
                                    .bean("Weight")
                                    .member("weight"),
                            Figure.<Server>count(OriginStats.ACTIVE, Server::active)
                                    .column("Active")
                                    .attribute("countActive")
                                    .bean("ActiveRequestsCount")
                                    .member("active"),
                            Figure.<Server>count(OriginStats.REQUESTS, Server::requests)
                                    .column("Requests")
                                    .attribute("countRequests")
                                    .bean("RequestsCount")
                                    .member("requests"),
                            Figure.<Server>count(OriginStats.FAILURES, Server::failures)
                                    .column("Failures")
                                    .attribute("countFailures")
                                    .bean("FailuresCount")
                                    .member("failures"),
                            Figure.<Server>count(OriginStats.BUSY, Server::busy)
                                    .column("Busy")
                                    .attribute("countBusy")
                                    .bean("BusyCount")
                                    .member("busy"),
                            Figure.<Server>count(OriginStats.DOWNS, Server::downs)
                                    .column("Downs")
                                    .attribute("countDowns")
                                    .bean("DownsCount")
                                    .member("downs"),
                            Figure.<Server>count("checks", "Active checks that succeeded.", Server::checksPassed)
                                    .attribute("countChecksPassed")
                                    .bean("ChecksPassedCount")
                                    .member("checksPassed"),
                            Figure.<Server>count("checks", "Active checks that failed.", Server::checksFailed)
                                    .attribute("countChecksFailed")
                                    .bean("ChecksFailedCount")
                                    .member("checksFailed"),
                            Figure.<Server>count(OriginStats.ANSWERS, Server::answers)
                                    .attribute("countResponses")
                                    .member("responses"),
                            Figure.<Server>count(OriginStats.ANSWER_NANOS, Server::answerNanos)
                                    .ticks("ticksResponse"),
                            Figure.<Server>count(
                                            "nanoseconds", "Mean time to the head of an answer.", Server::meanNanos)
                                    .column("Response", "milliseconds", s -> Texts.millis(s.meanNanos()) + " ms")
                                    .bean("ResponseNanosMean")
                                    .member("responseMicros", TimeUnit.MICROSECONDS),
                            Figure.<Server>text("Why it is or was down; empty if it never was.", Server::reason)
                                    .column("Reason")
                                    .attribute("reason")
                                    .bean("Reason")
                                    .member("reason")))
            .writing("reason", "timeSince");

    /** All of them, in the order of stats-xml. */
    public static final List<FigureGroup<?>> ALL = List.of(POOL, SERVER);

    private OriginDeclarations() {}

    private static String time(Server s) {
        return Instant.ofEpochMilli(s.since()).toString();
    }
}

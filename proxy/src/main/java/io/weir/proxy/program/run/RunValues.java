package io.weir.proxy.program.run;

import io.weir.proxy.cache.config.CacheTerms;
import io.weir.proxy.function.HeaderEdits;
import io.weir.proxy.program.match.MatchInput;
import io.weir.proxy.program.origin.AnswerUrls;
import io.weir.proxy.program.origin.OriginRoute;
import io.weir.proxy.program.origin.ReverseMapping;
import io.weir.proxy.program.origin.UrlMapping;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Values set on a run by functions and read by the engine. In ObjectType and Route the first value set stays.
 * Confined like its {@link ProgramRun}.
 */
public abstract class RunValues {
    /** The variable that holds the user, once known. */
    public static final String USER = "auth-user";

    /** The variable that holds the user's groups, separated by commas. */
    public static final String GROUPS = "auth-group";

    /** Bound on the variables that functions may set. */
    public static final int MAX_VARIABLES = RunVariables.MAX;

    RunValues() {}

    public final MatchInput input = new MatchInput();

    @Nullable
    Action action;

    @Nullable
    ProxyFault fault;

    byte @Nullable [] mappedTo;
    int mappedFrom;
    private @Nullable String mappedUrl;

    @Nullable
    String workManager;

    @Nullable
    String requestClass;

    private @Nullable OriginRoute route;
    private @Nullable String type;
    private @Nullable String @Nullable [] groups;
    private @Nullable CacheChoice cacheChoice;
    private boolean cacheDecided;
    private @Nullable CacheTerms cacheSettings;
    private boolean hostMapped;
    private boolean hostMappedSecure;
    private @Nullable HeaderEdits requestEdits;
    private @Nullable HeaderEdits responseEdits;
    private @Nullable ClientTimeOuts timeOuts;
    private final AnswerUrls answerUrls = new AnswerUrls();
    private @Nullable String location;
    private @Nullable HeaderEdits outputEdits;
    private @Nullable OriginAnswer answer;
    private @Nullable String allow;
    private @Nullable String challenge;
    private @Nullable HeaderEdits consumed;
    private long retryAfter = 1;
    private boolean routeDecided;
    private @Nullable OriginRoute parents;
    private boolean parentsDecided;
    private int status;
    private @Nullable String title;

    @Nullable
    Action page;

    private boolean closes;
    private final Set<ClientFact> decided = EnumSet.noneOf(ClientFact.class);
    private @Nullable String credentials;
    private boolean addressHidden;
    private final RunVariables variables = new RunVariables();

    final void clearValues() {
        action = null;
        fault = null;
        mappedTo = null;
        mappedFrom = 0;
        mappedUrl = null;
        workManager = null;
        requestClass = null;
        type = null;
        groups = null;
        route = null;
        cacheChoice = null;
        cacheDecided = false;
        cacheSettings = null;
        hostMapped = false;
        hostMappedSecure = false;
        requestEdits = null;
        responseEdits = null;
        timeOuts = null;
        answerUrls.clear();
        location = null;
        outputEdits = null;
        allow = null;
        challenge = null;
        retryAfter = 1;
        routeDecided = false;
        parents = null;
        parentsDecided = false;
        status = 0;
        title = null;
        page = null;
        closes = false;
        decided.clear();
        credentials = null;
        addressHidden = false;
    }

    /**
     * Variables survive a restart: a function that restarts passes data to the next run in them; the user is kept, too.
     */
    final void clearVariables() {
        variables.clear();
        consumed = null;
    }

    /** The action that answers the request; null before Service. */
    public final @Nullable Action action() {
        return action;
    }

    /** Sets the action; a redirect may be set before Service, which then runs no directive. */
    public final void action(Action a) {
        action = a;
    }

    /** Sets the work manager and the request class of the request, each unless already set; null: no change. */
    public final void runsUnder(@Nullable String manager, @Nullable String inClass) {
        workManager = workManager == null ? manager : workManager;
        requestClass = requestClass == null ? inClass : requestClass;
    }

    /** Why the run failed; null if it did not. */
    public final @Nullable ProxyFault fault() {
        return fault;
    }

    /** For functions that return {@link StepOutcome#ABORTED}: sets the reason. */
    public final StepOutcome abort(ProxyFault why) {
        fault = why;
        return StepOutcome.ABORTED;
    }

    /** The same with a status and a title of the program's own. */
    public final StepOutcome abort(ProxyFault why, int with, @Nullable String reason) {
        status = with;
        title = reason;
        return abort(why);
    }

    /** The same with a page to answer with, unless a function of Error answers. */
    public final StepOutcome abort(ProxyFault why, Action with) {
        page = with;
        return abort(why);
    }

    /** The status of the answer to the fault: the fault's own, unless a function set another; 0 without a fault. */
    public final int faultStatus() {
        ProxyFault why = fault;
        return why == null ? 0 : why == ProxyFault.DENIED && status > 0 ? status : why.status();
    }

    /** What the answer to the fault says; empty without a fault. */
    public final String faultTitle() {
        ProxyFault why = fault;
        String own = title;
        return why == null ? "" : why == ProxyFault.DENIED && own != null ? own : why.title();
    }

    /** The client's connection ends with this answer. */
    public final void close() {
        closes = true;
    }

    /** Whether the client's connection ends with this answer. */
    public final boolean closes() {
        return closes;
    }

    /** For functions that refuse the method: sets the value of Allow (RFC 9110 section 15.5.6). */
    public final StepOutcome methodRefused(String methods) {
        allow = methods;
        return abort(ProxyFault.METHOD_NOT_ALLOWED);
    }

    /** Sets when a request that exceeded a rate would pass: whole seconds, at least one (RFC 9110 section 10.2.3). */
    public final void retryAfter(long nanos) {
        retryAfter = Math.max(1, Math.ceilDiv(nanos, 1_000_000_000L));
    }

    /** Seconds after which to retry. */
    public final long retryAfter() {
        return retryAfter;
    }

    /** The value of Allow in the answer to a refused method, or null. */
    public final @Nullable String allow() {
        return allow;
    }

    /** For functions that require authentication: sets the challenge (RFC 9110 section 11.3). */
    public final void challenge(String how) {
        challenge = how;
    }

    /** The challenge (WWW-Authenticate) for a refused client, or null. */
    public final @Nullable String challenge() {
        return challenge;
    }

    /**
     * For functions that consumed credentials: the edits that remove them from the request, unless a field is set in
     * their place.
     */
    public final void consumed(HeaderEdits e) {
        consumed = e;
    }

    /** The media type of the answer, by which Service directives are chosen; null: unknown. */
    public final @Nullable String type() {
        return type;
    }

    /** Sets the media type of the answer, unless one is set. */
    public final void type(String mediaType) {
        type = type == null ? mediaType : type;
    }

    /** A group of the last regular expression of a condition that matched, 0 for the whole; null: there is none. */
    public final @Nullable String group(int number) {
        @Nullable String[] g = groups;
        return g == null || number >= g.length ? null : g[number];
    }

    /** Keeps the groups of a match, 0 for the whole. */
    public final void groups(@Nullable String[] matched) {
        groups = matched;
    }

    /** The origins of a reverse request; null if none was set. */
    public final @Nullable OriginRoute route() {
        return route;
    }

    /** Sets the route unless that is decided. */
    public final void route(OriginRoute r) {
        if (!routeDecided) {
            routeDecided = true;
            route = r;
        }
    }

    /** Decides that there is no route, unless there is one. */
    public final void noRoute() {
        routeDecided = true;
    }

    /** The proxies behind this one that a forwarded request goes to; null: it goes to the host that it names. */
    public final @Nullable OriginRoute parents() {
        return parents;
    }

    /** Decides them, unless that is decided; null: none. */
    public final void parents(@Nullable OriginRoute proxies) {
        if (!parentsDecided) {
            parentsDecided = true;
            parents = proxies;
        }
    }

    /** Whether what is sent of this fact about the client is decided by the program. */
    public final boolean decided(ClientFact fact) {
        return decided.contains(fact);
    }

    /** Decides what is sent of a fact about the client; false: it was decided before. */
    public final boolean decide(ClientFact fact) {
        return decided.add(fact);
    }

    /** The origin is not told the client's address. */
    public final void hideAddress() {
        addressHidden = true;
    }

    /** Whether the origin is not told the client's address. */
    public final boolean addressHidden() {
        return addressHidden;
    }

    /** The value of Proxy-Authorization to send; null: none. */
    public final @Nullable String credentials() {
        return credentials;
    }

    /** Sets the value of Proxy-Authorization to send, unless it is set. */
    public final void credentials(String value) {
        credentials = credentials == null ? value : credentials;
    }

    /** How the answer may be cached; null: not at all. Nothing is cached for a request that is answered here. */
    public final @Nullable CacheTerms cache() {
        CacheChoice choice = cacheChoice;
        return action != null || choice == null ? null : choice.with(cacheSettings);
    }

    /** Sets the caching, unless already set; null: no caching. */
    public final void cacheChoice(@Nullable CacheChoice choice) {
        if (!cacheDecided) {
            cacheDecided = true;
            cacheChoice = choice;
        }
    }

    public final void cacheSettings(CacheTerms settings) {
        cacheSettings = cacheSettings == null ? settings : cacheSettings;
    }

    public final void hostMapped(boolean secure) {
        hostMapped = true;
        hostMappedSecure = secure;
    }

    /** Whether the request is fetched from the host in its Host field although its target is in origin form. */
    public final boolean isHostMapped() {
        return hostMapped;
    }

    /** Whether a host-mapped request is fetched over TLS. */
    public final boolean isHostMappedSecure() {
        return hostMappedSecure;
    }

    /** Changes to the request before it goes to the origin; null: none. */
    public final @Nullable HeaderEdits requestEdits() {
        HeaderEdits own = consumed;
        return own == null || requestEdits == null ? (own == null ? requestEdits : own) : requestEdits.and(own);
    }

    /** Adds changes; fields that are already set stay. */
    public final void requestEdits(HeaderEdits e) {
        requestEdits = requestEdits == null ? e : requestEdits.and(e);
    }

    /** Adds changes; fields that were set before are changed again. */
    public final void requestEditsInstead(HeaderEdits e) {
        requestEdits = requestEdits == null ? e : e.and(requestEdits);
    }

    /** Changes to an origin's answer before it is stored or relayed; null: none. */
    public final @Nullable HeaderEdits responseEdits() {
        return responseEdits;
    }

    /** Adds changes; fields that are already set stay. */
    public final void responseEdits(HeaderEdits e) {
        responseEdits = responseEdits == null ? e : responseEdits.and(e);
    }

    /** Changes to the answer for this client only, stored or not; null: none. */
    public final @Nullable HeaderEdits outputEdits() {
        return outputEdits;
    }

    /** Adds changes; fields that are already set stay. */
    public final void outputEdits(HeaderEdits e) {
        outputEdits = outputEdits == null ? e : outputEdits.and(e);
    }

    /** Adds changes; fields that were set before are changed again. */
    public final void outputEditsInstead(HeaderEdits e) {
        outputEdits = outputEdits == null ? e : e.and(outputEdits);
    }

    /** The origin's answer, stored or not, while Filter and Output run; null otherwise. */
    public final @Nullable OriginAnswer answer() {
        return answer;
    }

    final void answer(@Nullable OriginAnswer a) {
        answer = a;
    }

    /** Time-outs specific to this request; null: none. */
    public final @Nullable ClientTimeOuts timeOuts() {
        return timeOuts;
    }

    public final void timeOuts(ClientTimeOuts t) {
        timeOuts = timeOuts == null ? t : timeOuts;
    }

    public final void reverseMapping(ReverseMapping m) {
        answerUrls.add(m);
    }

    /** Adds a mapping of URLs in the origin's answer; the first that covers a URL maps it. */
    public final void urlMapping(UrlMapping mapping) {
        answerUrls.add(mapping);
    }

    /** Further fields of answers whose URLs are mapped back. */
    public final List<String> rewriteFields() {
        return answerUrls.fields(route);
    }

    /** What stands before the path of the URL that the request was mapped to: null if it was to a path, or not at all. */
    final @Nullable String mappedUrl() {
        return mappedUrl;
    }

    /** For functions: the mapped path is that of a URL that begins so, {@code http:} if the route decides the host. */
    public final void mappedUrl(String beginning) {
        mappedUrl = mappedUrl == null ? beginning : mappedUrl;
    }

    /** For functions: from here on the first {@code length} bytes of the path are replaced for the origin. */
    public final void map(int length, byte[] to) {
        if (mappedTo == null) {
            mappedFrom = length;
            mappedTo = to;
        }
    }

    /** The target of a redirect; null if there is none. */
    public final @Nullable String location() {
        return location;
    }

    public final void location(String l) {
        location = l;
    }

    /** For functions: sets the action, with the target for a redirect. */
    public final void answerWith(Action a, @Nullable String to) {
        action = a;
        location = to == null ? location : to;
    }

    /**
     * A Location of the origin's answer as the client must see it, or null if it is unchanged.
     *
     * @param publicOrigin scheme and authority that the client requested, such as {@code https://www.example.com}
     */
    public final @Nullable String rewriteLocation(String value, String publicOrigin) {
        return answerUrls.location(route, value, publicOrigin);
    }

    /** As {@link #rewriteLocation}, for Content-Location. */
    public final @Nullable String rewriteContentLocation(String value, String publicOrigin) {
        return answerUrls.contentLocation(route, value, publicOrigin);
    }

    /** As {@link #rewriteLocation}, for one of {@link #rewriteFields}. */
    public final @Nullable String rewriteField(String name, String value, String publicOrigin) {
        return answerUrls.field(route, name, value, publicOrigin);
    }

    /** A variable that a function set, or null. */
    public final @Nullable String variable(String name) {
        return variables.get(name);
    }

    /** Removes a variable. */
    public final void remove(String variable) {
        variables.remove(variable);
    }

    /** A copy of the variables that functions set. */
    public final Map<String, String> variables() {
        return variables.all();
    }

    /** Sets a variable; returns false if there are too many, or it has more than 65,536 characters. */
    public final boolean variable(String name, String value) {
        return variables.put(name, value);
    }
}

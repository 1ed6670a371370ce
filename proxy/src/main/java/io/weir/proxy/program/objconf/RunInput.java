package io.weir.proxy.program.objconf;

import io.weir.http.Framing;
import io.weir.http.RequestHead;
import io.weir.http.semantics.HttpDate;
import io.weir.proxy.program.run.FunctionContext;
import io.weir.proxy.program.run.ProxyFault;
import io.weir.proxy.program.run.RunValues;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** A request as expressions see it. Made for one evaluation, confined to the request's loop. */
record RunInput(FunctionContext run, Surroundings surroundings) implements ExpressionInput {
    /**
     * What expressions of a program share.
     *
     * @param file the path of the program's file: relative ones are beside it
     * @param variables those of the configuration ({@code server.xml}); a request's own hide them
     */
    record Surroundings(String file, Map<String, String> variables, LookupFiles files, RandomGenerator random) {
        Surroundings {
            variables = Map.copyOf(variables);
        }
    }

    @Override
    public @Nullable Object variable(String name) {
        return switch (name) {
            case "auth_group" -> run.variable(RunValues.GROUPS);
            case "auth_user" -> run.variable(RunValues.USER);
            case "auth_type" -> run.variable(RunValues.USER) == null ? null : "basic";
            case "browser" -> field("user-agent");
            case "referer" -> field("referer");
            case "chunked" -> run.request().head().framing() == Framing.CHUNKED;
            case "code", "reason" -> fault(name);
            case "id" -> run.request().virtualServer().name();
            case "internal", "senthdrs" -> false;
            case "ip" -> run.request().clientAddress().getHostAddress();
            case "keep_alive" -> run.request().head().keepAlive();
            case "name" -> run.lastObject();
            case "keysize", "secret_keysize" -> (long) run.request().secretKeySize();
            case "method" -> run.request().head().method();
            case "path", "ppath" -> run.mappedPath();
            case "protocol" -> run.request().head().version().text();
            case "query" -> run.request().head().query();
            case "restarted" -> run.restarts() > 0;
            case "security" -> run.request().secure();
            case "server_url" -> run.publicOrigin();
            case "type" -> run.type();
            case "uri" -> run.path();
            case "url" -> run.publicOrigin() + run.target();
            case "urlhost" -> run.hostName();
            default -> name.startsWith("time") ? time(name) : own(name);
        };
    }

    private @Nullable Object own(String name) {
        String set = run.variable(name);
        return set == null ? surroundings.variables().get(name) : set;
    }

    private @Nullable Object fault(String name) {
        ProxyFault fault = run.fault();
        if (fault == null) {
            return null;
        }
        return name.equals("code") ? (Object) (long) run.faultStatus() : run.faultTitle();
    }

    private @Nullable Object time(String name) {
        ZonedDateTime now = ZonedDateTime.ofInstant(Instant.ofEpochMilli(run.millis()), ZoneId.systemDefault());
        return switch (name) {
            case "time" -> now.toEpochSecond();
            case "time_sec" -> two(now.getSecond());
            case "time_min" -> two(now.getMinute());
            case "time_hour" -> two(now.getHour());
            case "time_day" -> two(now.getDayOfMonth());
            case "time_mon" -> two(now.getMonthValue());
            case "time_wday" -> String.valueOf(now.getDayOfWeek().getValue() % 7);
            case "time_year" -> String.valueOf(now.getYear());
            default -> own(name);
        };
    }

    private static String two(int n) {
        return n < 10 ? "0" + n : String.valueOf(n);
    }

    private @Nullable String field(String name) {
        return run.request().head().fields().combined(name);
    }

    @Override
    public @Nullable Object entry(String map, String key) {
        return switch (map) {
            case "headers" -> field(key.toLowerCase(Locale.ROOT));
            case "cookie" -> cookie(key);
            case "vars" -> own(key);
            case "env" -> System.getenv(key);
            case "client" ->
                key.equals("ssl-id") ? own(key) : key.equals("ip") || key.equals("dns") ? variable(key) : null;
            case "reqpb" -> requestLine(key);
            default -> null;
        };
    }

    private @Nullable Object requestLine(String key) {
        return switch (key) {
            case "method", "uri", "query", "protocol" -> variable(key);
            case "clf-request", "proxy-request" -> {
                RequestHead head = run.request().head();
                yield head.method() + " " + head.target() + " " + head.version().text();
            }
            default -> null;
        };
    }

    private @Nullable String cookie(String name) {
        String all = field("cookie");
        if (all == null) {
            return null;
        }
        for (String pair : all.split("[;,]", -1)) {
            int equals = pair.indexOf('=');
            if (equals > 0 && pair.substring(0, equals).strip().equals(name)) {
                return pair.substring(equals + 1).strip();
            }
        }
        return null;
    }

    @Override
    public @Nullable String group(int number) {
        return run.group(number);
    }

    @Override
    public void groups(@Nullable String[] groups) {
        run.groups(groups);
    }

    @Override
    public @Nullable Object call(Expression.Function function, Object[] arguments) {
        String first = arguments.length == 0 ? "" : Values.text(arguments[0]);
        return switch (function) {
            case CHOOSE -> chosen(first);
            case HTTPDATE -> HttpDate.format(Values.number(arguments[0]));
            case UUID -> uuid();
            case ATIME -> attribute(first, "lastAccessTime");
            case CTIME -> attribute(first, "unix:ctime");
            case MTIME -> attribute(first, "lastModifiedTime");
            case OWNER -> attribute(first, "owner:owner");
            case LOOKUP -> {
                String found = surroundings.files().value(beside(first), Values.text(arguments[1]));
                yield found == null && arguments.length > 2 ? arguments[2] : found;
            }
            default -> throw new IllegalArgumentException(function.word());
        };
    }

    /** One of the texts between bars, at random. */
    private String chosen(String texts) {
        String[] all = texts.split("\\|", -1);
        return all[surroundings.random().nextInt(all.length)];
    }

    /** A random one (RFC 9562 section 5.4); not secret. */
    private String uuid() {
        long high = (surroundings.random().nextLong() & ~0xF000L) | 0x4000;
        long low = (surroundings.random().nextLong() & ~(0xC0L << 56)) | (0x80L << 56);
        return new UUID(high, low).toString();
    }

    private String beside(String path) {
        return BesideFile.path(surroundings.file(), path);
    }

    private @Nullable Object attribute(String file, String name) {
        try {
            Object value = Files.getAttribute(Path.of(beside(file)), name);
            return value instanceof FileTime t ? (Object) t.to(TimeUnit.SECONDS) : value.toString();
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            return null;
        }
    }

    @Override
    public @Nullable Object test(char what, String path) {
        try {
            Path file = Path.of(beside(path));
            return switch (what) {
                case 'd' -> Files.isDirectory(file);
                case 'e' -> Files.exists(file);
                case 'f' -> Files.isRegularFile(file);
                case 'l' -> Files.isSymbolicLink(file);
                case 'r' -> Files.isReadable(file);
                case 's' -> Files.exists(file, LinkOption.NOFOLLOW_LINKS) ? (Object) Files.size(file) : null;
                default -> null;
            };
        } catch (IOException | InvalidPathException e) {
            return null;
        }
    }
}

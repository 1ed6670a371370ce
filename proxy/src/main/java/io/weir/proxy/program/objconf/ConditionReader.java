package io.weir.proxy.program.objconf;

import io.weir.proxy.program.objconf.Expression.Infix;
import io.weir.proxy.program.objconf.Expression.Prefix;
import io.weir.proxy.program.objconf.WrittenCondition.All;
import io.weir.proxy.program.objconf.WrittenCondition.Any;
import io.weir.proxy.program.objconf.WrittenCondition.By;
import io.weir.proxy.program.objconf.WrittenCondition.Not;
import io.weir.proxy.program.objconf.WrittenCondition.Other;
import io.weir.proxy.program.objconf.WrittenCondition.Test;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Expressions of {@code <If>} and patterns of {@code <Client>} as conditions. Stateless. */
final class ConditionReader {
    private static final WrittenCondition OTHER = new Other();

    /** Keys of {@code $reqpb} that are variables, too. */
    private static final Set<String> LINE = Set.of("method", "uri", "query", "protocol");

    private ConditionReader() {}

    static WrittenCondition both(WrittenCondition a, WrittenCondition b) {
        if (a.equals(WrittenCondition.ALWAYS) || b.equals(WrittenCondition.ALWAYS)) {
            return a.equals(WrittenCondition.ALWAYS) ? b : a;
        }
        return new All(List.of(a, b));
    }

    static WrittenCondition of(Expression expression) {
        return switch (expression) {
            case Expression.Literal l -> Values.truth(l.value()) ? WrittenCondition.ALWAYS : new Any(List.of());
            case Expression.Unary u -> u.operator() == Prefix.NOT ? new Not(of(u.operand())) : OTHER;
            case Expression.Binary b -> of(b);
            case Expression.Wildcard w -> test(variable(w.text()), By.WILDCARD, w.written());
            case Expression.Regex r -> {
                WrittenCondition found =
                        test(variable(r.text()), By.REGEX, r.pattern().pattern());
                yield r.wanted() ? found : new Not(found);
            }
            case Expression.Choice c -> {
                WrittenCondition when = of(c.condition());
                yield new Any(List.of(both(when, of(c.then())), both(new Not(when), of(c.otherwise()))));
            }
            default -> OTHER;
        };
    }

    private static WrittenCondition of(Expression.Binary b) {
        return switch (b.operator()) {
            case AND -> both(of(b.left()), of(b.right()));
            case OR -> new Any(List.of(of(b.left()), of(b.right())));
            case XOR -> {
                WrittenCondition left = of(b.left());
                WrittenCondition right = of(b.right());
                yield new Any(List.of(both(left, new Not(right)), both(new Not(left), right)));
            }
            case TEXT_EQUAL, TEXT_NOT_EQUAL -> {
                boolean swapped = b.left() instanceof Expression.Literal;
                Expression text = swapped ? b.left() : b.right();
                WrittenCondition same = text instanceof Expression.Literal l
                        ? test(variable(swapped ? b.right() : b.left()), By.TEXT, Values.text(l.value()))
                        : OTHER;
                yield b.operator() == Infix.TEXT_EQUAL ? same : new Not(same);
            }
            default -> OTHER;
        };
    }

    private static WrittenCondition test(@Nullable String variable, By by, String pattern) {
        return variable == null ? OTHER : new Test(variable, by, pattern);
    }

    private static @Nullable String variable(Expression e) {
        if (e instanceof Expression.Variable v) {
            return v.name();
        }
        boolean line = e instanceof Expression.Entry entry && entry.map().equals("reqpb");
        return line
                        && e instanceof Expression.Entry entry
                        && entry.key() instanceof Expression.Literal key
                        && LINE.contains(Values.text(key.value()))
                ? Values.text(key.value())
                : null;
    }

    /** The patterns of a {@code <Client>}. */
    static WrittenCondition client(List<ObjText.Parameter> patterns) {
        String match = "all";
        List<WrittenCondition> each = new ArrayList<>();
        for (ObjText.Parameter p : patterns) {
            String text = p.value().constant();
            if (p.name().equals("match")) {
                match = String.valueOf(text);
            } else if (text == null || p.name().equals("odds") || ClientPatterns.isFlag(p.name())) {
                each.add(OTHER);
            } else {
                // an exception without what it is an exception of: from everything
                String pattern = text.startsWith("~") ? "*" + text : text;
                each.add(new Test(p.name().replace('-', '_'), By.WILDCARD, pattern));
            }
        }
        return switch (match) {
            case "any" -> new Any(each);
            case "none" -> new Not(new Any(each));
            default -> new All(each);
        };
    }
}

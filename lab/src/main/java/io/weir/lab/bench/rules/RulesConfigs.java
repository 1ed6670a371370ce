package io.weir.lab.bench.rules;

import io.weir.lab.bench.peer.WeirConfigs;

/** Configurations with many {@code assign-name} directives. Stateless. */
final class RulesConfigs {
    private RulesConfigs() {}

    /**
     * The given number of directives, nine of ten with a shell expression, the tenth in a condition with a regular
     * expression. Rule n is for {@link WeirConfigs#rulePath}.
     */
    static String objects(int originPort, int rules) {
        StringBuilder text = new StringBuilder("<Object name=\"default\">\n");
        for (int i = 0; i < rules; i++) {
            String path = WeirConfigs.rulePath(i);
            text.append(
                    i % 10 == 5
                            ? "<If $uri =~ '^%s/'>\nNameTrans fn=\"assign-name\" from=\"*\" name=\"app\"\n</If>\n"
                                    .formatted(path)
                            : "NameTrans fn=\"assign-name\" from=\"%s/*\" name=\"app\"\n".formatted(path));
        }
        return text.append(object(originPort))
                .append("</Object>\n<Object name=\"app\">\n")
                .append(object(originPort))
                .append("</Object>\n")
                .toString();
    }

    private static String object(int originPort) {
        return """
                ObjectType fn="cache-enable"
                Route fn="set-origin-server" server="http://127.0.0.1:%d"
                Service fn="proxy-retrieve"
                """.formatted(originPort);
    }
}

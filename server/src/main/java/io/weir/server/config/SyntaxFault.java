package io.weir.server.config;

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.UnexpectedEndOfInputException;

/**
 * The words for text that is no YAML or JSON. Parsers quote their input and advise those who program with them; an
 * operator needs to know what is wrong and what to write instead. Stateless.
 */
final class SyntaxFault {
    /** The part of a parser's message about its input, which is not shown. */
    private static final Pattern OF_THE_PARSER = Pattern.compile("\\s*\\(?(start marker at )?\\[Source:[^\\]]*]\\)?");

    private static final String NUMBER = "a number ends too early: complete it, or put it between double quotes";

    private static final Pattern CHARACTER = Pattern.compile("^Unexpected character \\('(.)' \\(code (\\d{1,7})");
    private static final Pattern CONTROL = Pattern.compile("^Illegal .*CTRL-CHAR, code (\\d{1,3})");
    private static final Pattern WORD = Pattern.compile("^(?:Unrecognized token|Non-standard token) '([^']{1,40})'");

    /** Parts of the messages of Jackson's reader of JSON, and what is said instead; the first that fits. */
    private static final List<Map.Entry<String, String>> SAID = List.of(
            Map.entry("Leading zeroes", "a number begins with 0: leave the zeros out, or put it between double quotes"),
            Map.entry("close marker", "a bracket is closed that is not open: look for a missing or extra bracket"),
            Map.entry("hex-digit", "\\u must be followed by four hexadecimal digits"),
            Map.entry(
                    "escape", "a text has a backslash before a character that needs none: write \\\\ for a backslash"),
            Map.entry("not followed by a digit", NUMBER),
            Map.entry("in numeric value", NUMBER),
            Map.entry("code 65279", "the text begins with a byte order mark: leave it out"));

    private static final String RULES =
            "keys and texts stand between double quotes, members are separated by commas, and there are no comments";

    private SyntaxFault() {}

    /** What is wrong, and what to do. */
    static String of(boolean json, JacksonException e) {
        if (e instanceof StreamConstraintsException) {
            return "a key, text or number is too long, or lists and sections are nested too deep, for a configuration:"
                    + " shorten it";
        }
        return json ? "not JSON: " + json(e) : "not YAML: " + yaml(e);
    }

    private static String json(JacksonException e) {
        String message = String.valueOf(e.getOriginalMessage());
        if (e instanceof UnexpectedEndOfInputException || message.startsWith("Unexpected end-of-input")) {
            return "the text ends too early: close every brace, bracket and quotation mark";
        }
        Matcher control = CONTROL.matcher(message);
        if (control.find()) {
            return "a control character (code " + control.group(1) + ") stands in the text: write it as an escape, such"
                    + " as \\n or \\u0007";
        }
        Matcher word = WORD.matcher(message);
        if (word.find()) {
            return "\"" + word.group(1) + "\" is no value: a text stands between double quotes";
        }
        for (Map.Entry<String, String> said : SAID) {
            if (message.contains(said.getKey())) {
                return said.getValue();
            }
        }
        Matcher character = CHARACTER.matcher(message);
        if (character.find()) {
            String shown = Character.isISOControl(character.group(1).charAt(0)) ? "?" : character.group(1);
            return "the character " + shown + " (code " + character.group(2) + ") cannot stand here: " + RULES;
        }
        return "the text continues wrongly here: " + RULES;
    }

    /** The first sentence of the parser's message, which has the error; the rest quotes the text over several lines. */
    private static String yaml(JacksonException e) {
        StringBuilder sentence = new StringBuilder();
        String said =
                OF_THE_PARSER.matcher(String.valueOf(e.getOriginalMessage())).replaceAll("");
        for (String line : said.split("\n", -1)) {
            String t = line.trim();
            if (!t.isEmpty() && !t.startsWith("in ") && !t.startsWith("^") && !line.startsWith("    ")) {
                sentence.append(sentence.isEmpty() ? "" : "; ").append(t);
            }
        }
        return sentence.toString();
    }
}

package dev.cqs.amc.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A strict JSON parser. Numbers are doubles. */
final class Json {

    private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?");

    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    static Object parse(String text) {
        Json json = new Json(text);
        Object value = json.value();
        json.skipSpace();
        if (json.at != text.length()) {
            throw json.wrong("the end");
        }
        return value;
    }

    private Object value() {
        skipSpace();
        return switch (peek()) {
            case '{' -> object();
            case '[' -> array();
            case '"' -> string();
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            case 'n' -> word("null", null);
            default -> number();
        };
    }

    private Map<String, Object> object() {
        Map<String, Object> object = new LinkedHashMap<>();
        expect('{');
        for (boolean first = true; !accept('}'); first = false) {
            if (!first) {
                expect(',');
            }
            skipSpace();
            String name = string();
            expect(':');
            if (object.put(name, value()) != null) {
                throw wrong("no second " + name);
            }
        }
        return object;
    }

    private List<Object> array() {
        List<Object> array = new ArrayList<>();
        expect('[');
        for (boolean first = true; !accept(']'); first = false) {
            if (!first) {
                expect(',');
            }
            array.add(value());
        }
        return array;
    }

    private String string() {
        StringBuilder string = new StringBuilder();
        expect('"');
        while (peek() != '"') {
            char character = text.charAt(at++);
            if (character < ' ') {
                throw wrong("no control character");
            }
            string.append(character == '\\' ? escaped() : character);
        }
        at++;
        return string.toString();
    }

    private char escaped() {
        char character = text.charAt(at++);
        return switch (character) {
            case '"', '\\', '/' -> character;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> {
                at += 4;
                yield (char) Integer.parseInt(text.substring(at - 4, at), 16);
            }
            default -> throw wrong("an escape");
        };
    }

    private Object word(String word, Object value) {
        if (!text.startsWith(word, at)) {
            throw wrong(word);
        }
        at += word.length();
        return value;
    }

    private Double number() {
        Matcher number = NUMBER.matcher(text).region(at, text.length());
        if (!number.lookingAt()) {
            throw wrong("a value");
        }
        at = number.end();
        return Double.valueOf(number.group());
    }

    private boolean accept(char expected) {
        skipSpace();
        if (peek() != expected) {
            return false;
        }
        at++;
        return true;
    }

    private void expect(char expected) {
        if (!accept(expected)) {
            throw wrong(String.valueOf(expected));
        }
    }

    private char peek() {
        if (at == text.length()) {
            throw wrong("more");
        }
        return text.charAt(at);
    }

    private void skipSpace() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private AssertionError wrong(String expected) {
        return new AssertionError("expected " + expected + " at " + at + " of " + text);
    }
}
